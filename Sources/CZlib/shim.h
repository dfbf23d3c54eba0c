#ifndef FOOTFALL_CZLIB_SHIM_H
#define FOOTFALL_CZLIB_SHIM_H

#include <zlib.h>

// `inflateInit2` is a macro, which Swift does not see. 15 is the largest window, 16 asks for the gzip wrapper.
static inline int footfall_inflate_init_gzip(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

// The same for data without any wrapper, which a negative window size asks for.
static inline int footfall_inflate_init_raw(z_stream *stream) {
    return inflateInit2(stream, -15);
}

#endif
