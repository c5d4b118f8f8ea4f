/* The curves of the links of a picture: straight, or bent so that no node hides a link. */
#include "topology/interchange/picture.h"

#include <math.h>

#include "base/error.h"

enum { MANY_LINKS = 8192 }; /* with more links all links are straight */

cni_point cni_place_of(const cni_canvas *c, uint64_t node)
{
    return (cni_point){c->unit * c->layout.x[node], c->unit * c->layout.y[node]};
}

/* The middle of the curve is half as far off the straight line as the control point. */
cni_point cni_control_of(cni_point a, cni_point b, double bend)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = fmax(hypot(dx, dy), 1.0);
    return (cni_point){0.5 * (a.x + b.x) - 2.0 * bend * dy / length,
                       0.5 * (a.y + b.y) + 2.0 * bend * dx / length};
}

static cni_point point_at(cni_point a, cni_point control, cni_point b, double s)
{
    double u = 1.0 - s;
    return (cni_point){u * u * a.x + 2.0 * u * s * control.x + s * s * b.x,
                       u * u * a.y + 2.0 * u * s * control.y + s * s * b.y};
}

/* Whether a curve, looked at in `steps` - 1 points, runs behind the node at this place. */
static int runs_behind(cni_point a, cni_point control, cni_point b, int steps, cni_point at,
                       double width, double height)
{
    for (int i = 1; i < steps; i++) {
        cni_point on = point_at(a, control, b, (double)i / steps);
        if (fabs(on.x - at.x) < width && fabs(on.y - at.y) < height)
            return 1;
    }
    return 0;
}

/* The number of other nodes that hide a part of a curve. */
static unsigned hidden_by(const cni_canvas *c, uint64_t from, uint64_t to, double bend)
{
    cni_point a = cni_place_of(c, from), b = cni_place_of(c, to),
              control = cni_control_of(a, b, bend);
    const int steps = 2 + (int)(10.0 * hypot(b.x - a.x, b.y - a.y) / c->unit);
    const double width = c->half_width + 0.03 * c->unit, height = c->half_height + 0.03 * c->unit;
    const double left = fmin(fmin(a.x, b.x), control.x), right = fmax(fmax(a.x, b.x), control.x);
    const double low = fmin(fmin(a.y, b.y), control.y), high = fmax(fmax(a.y, b.y), control.y);
    unsigned hidden = 0;
    for (uint64_t v = 0; v < c->picture->topology->nodes; v++) {
        cni_point at = cni_place_of(c, v);
        if (v != from && v != to && at.x > left - width && at.x < right + width &&
            at.y > low - height && at.y < high + height)
            hidden += (unsigned)runs_behind(a, control, b, steps, at, width, height);
    }
    return hidden;
}

/* The least bend with which no node, or else the fewest nodes, hide a link. `two`: in a one-way
 * network a channel leads back, too, and a small bend keeps the two apart. */
static double best_bend(const cni_canvas *c, uint64_t from, uint64_t to, int two)
{
    static const double tries[] = {0.0,  0.3, -0.3, 0.5, -0.5, 0.75, -0.75, 1.0,
                                   -1.0, 1.3, -1.3, 1.7, -1.7, 2.2,  -2.2};
    double best = 0.0;
    unsigned least = UINT32_MAX;
    for (size_t i = 0; i < sizeof tries / sizeof *tries && least > 0; i++) {
        double bend = c->unit * (two && i == 0 ? 0.12 : tries[i]);
        unsigned hidden = hidden_by(c, from, to, bend);
        best = hidden < least ? bend : best;
        least = hidden < least ? hidden : least;
    }
    return best;
}

static void make_room(cni_canvas *c, cni_point at)
{
    c->left = fmin(c->left, at.x);
    c->right = fmax(c->right, at.x);
    c->bottom = fmin(c->bottom, at.y);
    c->top = fmax(c->top, at.y);
}

cn_status cni_bend_links(cni_canvas *c, cni_budget *budget)
{
    const cn_topology *t = c->picture->topology;
    uint64_t links = 0, done = 0;
    for (uint64_t v = 0; v < t->nodes; v++)
        links += t->ops->degree(t, v);
    const int may_bend = t->nodes <= CNI_FEW_NODES && links <= MANY_LINKS;
    c->bends = cni_allocate(links, sizeof *c->bends);
    CNI_TRY_MEMORY(c->bends);
    make_room(c, (cni_point){c->unit * c->layout.width, c->unit * c->layout.height});
    for (uint64_t v = 0; v < t->nodes; v++) {
        for (uint32_t p = 0; p < t->ops->degree(t, v); p++) {
            uint64_t u = t->ops->neighbor(t, v, p);
            uint32_t back = CN_NO_PORT;
            if (!cni_is_put(t, v, u))
                continue;
            if (!t->bidirectional)
                CNI_TRY(cn_topology_port_to(t, u, v, &back));
            const int two = back != CN_NO_PORT;
            double bend = may_bend ? best_bend(c, v, u, two) : 0.0;
            cni_point a = cni_place_of(c, v), b = cni_place_of(c, u);
            make_room(c, point_at(a, cni_control_of(a, b, bend), b, 0.5));
            c->bends[done++] = bend;
        }
        CNI_TRY(cni_budget_go_on(budget, may_bend ? 64 * t->nodes * t->max_degree : t->max_degree));
    }
    return CN_OK;
}
