/* Exhibits of points that know nothing of each other: each is placed by its number alone, all are
 * worked on together, each is a row of the file. */
#include <stdlib.h>

#include "reproduce.h"

typedef struct points {
    rp_run *run;
    const rp_point_set *set;
    char *at; /* those that are made, one behind the other */
    size_t count;
    int failed;
} points;

static void *point_of(const points *all, size_t i)
{
    return all->at + i * all->set->size;
}

static void place_points(points *all)
{
    for (size_t number = 0; number < all->set->count; number++)
        if (!all->run->quick || all->set->is_quick == NULL || all->set->is_quick(number))
            all->set->place(point_of(all, all->count++), number);
}

static void work(void *user, size_t i)
{
    points *all = user;
    rp_run run = *all->run;
    all->set->work(&run, point_of(all, i));
    if (run.failed)
        all->failed = 1;
}

void rp_make_points(rp_run *run, const rp_exhibit *exhibit, const rp_point_set *set)
{
    points all = {.run = run, .set = set, .at = calloc(set->count, set->size)};
    rp_table table;
    if (all.at == NULL) {
        rp_fail(run, "out of memory");
        return;
    }
    place_points(&all);
    rp_together(run, all.count, work, &all);
    if (all.failed)
        rp_fail(run, "a point of %s failed", exhibit->id);
    rp_table_open(&table, run, exhibit, set->header);
    for (size_t i = 0; i < all.count && !run->failed; i++)
        set->write(&table, point_of(&all, i));
    rp_table_close(&table);
    free(all.at);
}
