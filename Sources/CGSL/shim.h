// The part of the GNU Scientific Library that Footfall uses: real transforms of any length.
// Only files of Sources/Footfall/Signal may import this module, so that GSL stays replaceable.
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_real.h>
