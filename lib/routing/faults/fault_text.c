/* Faults as lines of text: "topology NAME", "node ADDRESS", "link ADDRESS ADDRESS". */
#include "routing/faults/fault.h"

#include "base/error.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* An address is at most 62 digits, or fewer longer ones that make up a number below 2^30. */
enum { ADDRESS_CAPACITY = 128 };

static cn_status put_address(cni_text *w, const cn_topology *topology, uint64_t node)
{
    char address[ADDRESS_CAPACITY];
    CNI_TRY(cn_topology_address_text(topology, node, address, sizeof address, NULL));
    cni_text_put(w, "%s", address);
    return CN_OK;
}

static cn_status put_links(cni_text *w, const cn_faults *faults, uint64_t v)
{
    const cn_topology *topology = faults->topology;
    for (uint64_t left = cni_faulty_links(faults, v); left != 0; left &= left - 1) {
        uint32_t port = cni_lowest_bit(left);
        if (!cni_is_first_end(topology, v, port))
            continue;
        cni_text_put(w, "link ");
        CNI_TRY(put_address(w, topology, v));
        cni_text_put(w, " ");
        CNI_TRY(put_address(w, topology, cni_neighbor(topology, v, port)));
        cni_text_put(w, "\n");
    }
    return CN_OK;
}

static cn_status put_faults(cni_text *w, const cn_faults *faults)
{
    const cn_topology *topology = faults->topology;
    cni_text_put(w, "topology %s\n", topology->name);
    for (uint64_t v = 0; faults->node_count > 0 && v < topology->nodes; v++)
        if (cni_node_faulty(faults, v)) {
            cni_text_put(w, "node ");
            CNI_TRY(put_address(w, topology, v));
            cni_text_put(w, "\n");
        }
    for (uint64_t v = 0; faults->link_count > 0 && v < topology->nodes; v++)
        CNI_TRY(put_links(w, faults, v));
    return CN_OK;
}

cn_status cn_faults_text(const cn_faults *faults, char text[], size_t capacity, size_t *length)
{
    CNI_REQUIRE(faults);
    CNI_REQUIRE_ARRAY(text, capacity);
    cni_text measure = {0};
    CNI_TRY(put_faults(&measure, faults));
    CNI_TRY(cni_text_fits(__func__, "text", measure.length, capacity, length));
    cni_text write = {.text = text, .capacity = capacity};
    CNI_TRY(put_faults(&write, faults));
    text[measure.length] = '\0';
    return CN_OK;
}

/* ---- reading ---- */

enum { WORDS = 4, WORD_CAPACITY = CNI_NAME_CAPACITY };

/* The words of the line at text, one more than allowed at most; returns where the line ends. */
static const char *split(const char *text, char words[WORDS][WORD_CAPACITY], int *count)
{
    *count = 0;
    while (*text != '\0' && *text != '\n') {
        size_t length = strcspn(text, " \t\r\n");
        if (length == 0) {
            text++;
            continue;
        }
        if (*count < WORDS) {
            /* a word that is cut is too long to be an address, and still is */
            size_t kept = length < WORD_CAPACITY ? length : WORD_CAPACITY - 1;
            memcpy(words[*count], text, kept);
            words[(*count)++][kept] = '\0';
        }
        text += length;
    }
    return text;
}

static cn_status check_name(const cn_topology *topology, const char *name)
{
    int is;
    CNI_TRY(cni_topology_has_name(topology, name, &is));
    if (is)
        return CN_OK;
    return cni_fail(CN_ERR_ARGUMENT, "the faults are those of %s, not of %s", name, topology->name);
}

static cn_status read_line(cn_faults *faults, char words[WORDS][WORD_CAPACITY], int count)
{
    const cn_topology *topology = faults->topology;
    uint64_t node = 0, far = 0;
    uint32_t port;
    if (strcmp(words[0], "topology") == 0 && count == 2)
        return check_name(topology, words[1]);
    if (strcmp(words[0], "node") == 0 && count == 2) {
        CNI_TRY(cn_topology_parse_address(topology, words[1], &node));
        return cn_faults_add_node(faults, node);
    }
    if (strcmp(words[0], "link") == 0 && count == 3) {
        CNI_TRY(cn_topology_parse_address(topology, words[1], &node));
        CNI_TRY(cn_topology_parse_address(topology, words[2], &far));
        CNI_TRY(cn_topology_port_to(topology, node, far, &port));
        if (port == CN_NO_PORT)
            return cni_fail(CN_ERR_ARGUMENT, "there is no link from %s to %s", words[1], words[2]);
        return cn_faults_add_link(faults, node, port);
    }
    return cni_fail(CN_ERR_ARGUMENT,
                    "\"%s\" followed by %d word(s), but a line must be \"node A\", "
                    "\"link A B\" or \"topology NAME\"",
                    words[0], count - 1);
}

static cn_status read_lines(const char *function, cn_faults *faults, const char *text)
{
    for (unsigned long line = 1;; line++) {
        char words[WORDS][WORD_CAPACITY];
        int count;
        text = split(text, words, &count);
        if (count > 0 && words[0][0] != '#') {
            cn_status status = read_line(faults, words, count);
            if (status == CN_ERR_ARGUMENT) {
                char who[64];
                snprintf(who, sizeof who, "%s: line %lu", function, line);
                return cni_fail_as(who, status);
            }
            CNI_TRY(status);
        }
        if (*text == '\0')
            return CN_OK;
        text++;
    }
}

cn_status cn_faults_parse(const cn_topology *topology, const char *text, cn_faults **faults)
{
    CNI_REQUIRE_OUT(faults);
    CNI_REQUIRE_BOTH(topology, text);
    cn_faults *made;
    CNI_TRY(cn_faults_new(topology, &made));
    cn_status status = read_lines(__func__, made, text);
    if (status != CN_OK)
        cn_faults_free(&made);
    *faults = made;
    return status;
}
