/* Pictures of networks, as DOT and as SVG; nodes and links may have looks of their own. */
#ifndef CNI_TOPOLOGY_INTERCHANGE_PICTURE_H
#define CNI_TOPOLOGY_INTERCHANGE_PICTURE_H

#include "cubenet/interchange.h"

#include "base/names.h"
#include "base/text.h"
#include "topology/topology.h"

enum {
    CNI_PLAIN = 0,
    CNI_MOST_LOOKS = 16,
    CNI_MEANING = 80,
    /* with more nodes a picture has no labels and straight links, and graphviz places the nodes */
    CNI_FEW_NODES = 256
};

/* The look of a kind of nodes or links; a colour of NULL: as plain nodes and links have it. */
typedef struct cni_look {
    const char *fill, *label; /* colours of a node and of its label */
    const char *line;         /* colour of a link */
    int dashed;
    char meaning[CNI_MEANING]; /* the text in the key */
} cni_look;

typedef struct cni_picture {
    const cn_topology *topology;
    /* row CNI_PLAIN is empty; NULL: all nodes and links are plain */
    const cni_look *looks;
    /* The numbers of looks of a node and of a link; not called without looks. */
    unsigned (*node_look)(const void *user, uint64_t node);
    unsigned (*link_look)(const void *user, uint64_t node, uint32_t port);
    const void *user;
} cni_picture;

/* ---- layout.c ---- */

/* The places of the nodes of a network in a drawing. */
typedef struct cni_layout {
    double *x, *y; /* by node, from 0 to the right and from 0 up; neighbours are about 1 apart */
    double width, height;
} cni_layout;

/* Errors in the name of the calling function: CN_ERR_UNSUPPORTED above CN_DRAWING_NODES nodes,
 * CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_layout_open(const char *function, const cn_topology *topology, cni_budget *budget,
                          cni_layout *layout);
void cni_layout_close(cni_layout *layout);

/* ---- picture.c ---- */

/* A picture that is ready for writing, any number of times. */
typedef struct cni_canvas {
    const cni_picture *picture;
    cni_layout layout; /* empty for a DOT file without places of nodes */
    /* by link, in the order of writing: the distance of the middle of the curve from the
     * straight line */
    double *bends;
    size_t label_length;
    /* unit of the layout, and sizes of a node, in tenths of a pixel */
    double unit, half_width, half_height;
    double left, right, bottom, top;     /* borders of the nodes' places and of the curves */
    const cni_look *key[CNI_MOST_LOOKS]; /* the looks in use, without the plain look */
    unsigned keys;
} cni_canvas;

/* Prepares a picture; does nothing for a format that is no drawing. Errors of cni_layout_open(),
 * CN_ERR_CANCELLED. */
cn_status cni_canvas_open(const char *function, const cni_picture *picture, cn_format format,
                          cni_budget *budget, cni_canvas *canvas);
void cni_canvas_put(const cni_canvas *canvas, cn_format format, cni_text *text);
void cni_canvas_close(cni_canvas *canvas);

/* ---- curves.c ---- */

typedef struct cni_point {
    double x, y;
} cni_point;

/* The place of a node, in tenths of a pixel. */
cni_point cni_place_of(const cni_canvas *canvas, uint64_t node);

/* The control point of a curve whose middle lies `bend` to the left of the straight line. */
cni_point cni_control_of(cni_point a, cni_point b, double bend);

/* Whether a link is written at this end: at its lower node; a one-way channel at its beginning. */
static inline int cni_is_put(const cn_topology *topology, uint64_t node, uint64_t far)
{
    return far > node || !topology->bidirectional;
}

/* Fills the bends, and the borders of the curves. CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_bend_links(cni_canvas *canvas, cni_budget *budget);

/* ---- interchange_write.c ---- */

/* Writes a drawing into memory of the caller; errors name the function in the budget.
 * CN_ERR_UNSUPPORTED for a format of no drawings, CN_ERR_CAPACITY, and as cn_topology_write(). */
cn_status cni_picture_draw(const cni_picture *picture, cn_format format, cni_budget *budget,
                           char text[], size_t capacity, size_t *length);

extern const cni_names cni_formats;

#endif
