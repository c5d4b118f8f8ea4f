/* A network as a picture, in which nodes and links may have looks of their own: as DOT and as
 * SVG. */
#ifndef CNI_TOPOLOGY_INTERCHANGE_PICTURE_H
#define CNI_TOPOLOGY_INTERCHANGE_PICTURE_H

#include "cubenet/interchange.h"

#include "base/names.h"
#include "base/text.h"
#include "topology/interchange/layout.h"

enum {
    CNI_PLAIN = 0,
    CNI_MOST_LOOKS = 16,
    CNI_MEANING = 80,
    CNI_FEW_NODES =
        256 /* more have no labels, their links run straight, and graphviz places them */
};

/* What nodes or links of one kind look like; NULL: as others do. */
typedef struct cni_look {
    const char *fill, *label; /* colours of a node and its label */
    const char *line;         /* of a link */
    int dashed;
    char meaning[CNI_MEANING]; /* in the key */
} cni_look;

typedef struct cni_picture {
    const cn_topology *topology;
    const cni_look *looks; /* number CNI_PLAIN is empty; NULL: all are plain */
    /* The number of a look; not called without looks. */
    unsigned (*node_look)(const void *user, uint64_t node);
    unsigned (*link_look)(const void *user, uint64_t node, uint32_t port);
    const void *user;
} cni_picture;

/* A picture that is ready to be put any number of times. */
typedef struct cni_canvas {
    const cni_picture *picture;
    cni_layout layout; /* empty where the nodes of a DOT file have no places */
    /* of the links in the order in which they are put: how far off the straight line */
    double *bends;
    size_t label_length;
    double unit, half_width, half_height; /* of a node; in tenths of a pixel */
    double left, right, bottom, top;      /* what curves need beside the nodes */
    const cni_look *key[CNI_MOST_LOOKS];  /* the looks that occur, but the plain one */
    unsigned keys;
} cni_canvas;

/* Empty for a format that is not drawn. Errors of cni_layout_open(), CN_ERR_CANCELLED. */
cn_status cni_canvas_open(const char *function, const cni_picture *picture, cn_format format,
                          cni_budget *budget, cni_canvas *canvas);
void cni_canvas_put(const cni_canvas *canvas, cn_format format, cni_text *text);
void cni_canvas_close(cni_canvas *canvas);

/* ---- curves.c ---- */

typedef struct cni_point {
    double x, y;
} cni_point;

/* Of a node, in tenths of a pixel. */
cni_point cni_place_of(const cni_canvas *canvas, uint64_t node);

/* The point of control of a curve whose middle lies so far to the left of the straight line. */
cni_point cni_control_of(cni_point a, cni_point b, double bend);

/* Each link is put once, from its lower node; each channel where there is only one way. */
static inline int cni_is_put(const cn_topology *topology, uint64_t node, uint64_t far)
{
    return far > node || !topology->bidirectional;
}

/* Fills the bends, and what room they need. CN_ERR_MEMORY, CN_ERR_CANCELLED. */
cn_status cni_bend_links(cni_canvas *canvas, cni_budget *budget);

/* ---- interchange_write.c ---- */

/* The whole into memory of the caller, in the name of the function that the budget names.
 * CN_ERR_CAPACITY, and as cn_topology_write(). */
cn_status cni_picture_write(const cni_picture *picture, cn_format format, cni_budget *budget,
                            char text[], size_t capacity, size_t *length);

/* The same for what is only drawn: CN_ERR_UNSUPPORTED for a format that is no drawing. */
cn_status cni_picture_draw(const cni_picture *picture, cn_format format, cni_budget *budget,
                           char text[], size_t capacity, size_t *length);

extern const cni_names cni_formats;

#endif
