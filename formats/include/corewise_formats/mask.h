/* Output of corewise-mask: the CPU affinity of a rank (formats/FORMATS.md, "Masks of ranks"). */
#ifndef COREWISE_FORMATS_MASK_H
#define COREWISE_FORMATS_MASK_H

#define CW_MASK_FIRST_LINE "corewise-mask 1"

#endif
