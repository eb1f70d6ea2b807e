// What `taut verify` found, as a table with a verdict and as JSON.
#pragma once

#include <string>

#include "taut/io/verify.hpp"
#include "taut/scene/scene.hpp"

namespace taut::cli {

struct VerifyTold {
    const io::CacheHeader& header;
    const io::VerifyOptions& options;
    const io::VerifyReport& report;
    double seconds = 0;   // of checking
    std::string picture;  // file drawn, or empty
};

// Table, then VERIFIED or what does not hold, one line for each offence listed.
std::string verify_text(const VerifyTold& told);

scene::Json verify_json(const VerifyTold& told);

}  // namespace taut::cli
