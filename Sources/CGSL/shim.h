#ifndef FOOTFALL_CGSL_SHIM_H
#define FOOTFALL_CGSL_SHIM_H

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_interp.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_statistics_double.h>

// The type of an interpolation is a global variable, which Swift does not import as a constant.
static inline gsl_interp *footfall_cubic_spline_alloc(size_t count) {
    return gsl_interp_alloc(gsl_interp_cspline, count);
}

#endif
