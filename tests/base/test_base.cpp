// The ground floor: ranges and parameter texts, errors with the nearest name, hashes that never
// change, and parallel loops with the same bits for any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>

#include "taut/base/error.hpp"
#include "taut/base/hash.hpp"
#include "taut/base/parallel.hpp"
#include "taut/base/parameter.hpp"

namespace taut {
namespace {

const double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Range, ContainsItsClosedEndsOnly) {
    EXPECT_TRUE(between(0, 1).contains(0) && between(0, 1).contains(1));
    EXPECT_FALSE(between(0, 1).contains(-1e-300) || between(0, 1).contains(std::nextafter(1.0, 2.0)));
    EXPECT_FALSE(positive().contains(0));
    EXPECT_TRUE(positive().contains(std::numeric_limits<double>::denorm_min()));
    EXPECT_TRUE(non_negative().contains(0));
    EXPECT_FALSE(non_negative().contains(-1));
    EXPECT_TRUE(any_number().contains(-1e308));
    Range half_open = between(0, 1);
    half_open.max_open = true;
    EXPECT_FALSE(half_open.contains(1));
}

TEST(Range, NoneContainsNan) {
    for (const Range& range : {any_number(), positive(), non_negative(), between(-1, 1)}) {
        EXPECT_FALSE(range.contains(nan));
    }
}

TEST(Range, SaysWhatItAllows) {
    EXPECT_EQ(any_number().text(), "any");
    EXPECT_EQ(positive().text(), "> 0");
    EXPECT_EQ(non_negative().text(), ">= 0");
    EXPECT_EQ(between(0, 0.5).text(), "0 to 0.5");
    Range range = between(0, 1);
    range.max_open = true;
    EXPECT_EQ(range.text(), ">= 0 and < 1");
    range.min = -infinity;
    EXPECT_EQ(range.text(), "< 1");
}

TEST(NumberText, ReadsBackToTheSameBits) {
    for (double value : {0.1, 1.0 / 3, 1e-300, -2.5e17, 5e-324, 123456789.0}) {
        EXPECT_EQ(std::strtod(number_text(value).c_str(), nullptr), value) << number_text(value);
    }
    EXPECT_EQ(number_text(0.1), "0.1");
}

TEST(ParamList, KeepsOrderTypesAndLiveValues) {
    double rate = 0.1;
    int count = 3;
    bool on = true;
    std::string name = "a \"b\"", kind = "fast";
    Vec3 wind(1, 0, -2.5);
    ParamList list;
    list.number("rate", rate, "1/s", positive(), "Rate.");
    list.integer("count", count, "1", between(1, 9), "Count.");
    list.flag("on", on, "On.");
    list.text("name", name, "Name.");
    list.choice("kind", kind, {"fast", "slow"}, "Kind.");
    list.vector("wind", wind, "m/s", "Wind.");

    EXPECT_EQ(list.names(), (std::vector<std::string>{"rate", "count", "on", "name", "kind", "wind"}));
    std::vector<std::string> types, values, allowed;
    rate = 0.25;  // the list points into the struct
    for (const Param& p : list.entries()) {
        types.push_back(p.type_name());
        values.push_back(p.value_text());
        allowed.push_back(p.allowed_text());
    }
    EXPECT_EQ(types, (std::vector<std::string>{"number", "integer", "flag", "text", "text", "vector"}));
    EXPECT_EQ(values,
              (std::vector<std::string>{"0.25", "3", "true", "\"a \\\"b\\\"\"", "\"fast\"", "[1, 0, -2.5]"}));
    EXPECT_EQ(allowed, (std::vector<std::string>{"> 0", "1 to 9", "", "", "fast, slow", ""}));
    EXPECT_EQ(list.find("kind")->allowed_text("`"), "`fast`, `slow`");
    ASSERT_NE(list.find("count"), nullptr);
    EXPECT_EQ(list.find("count")->unit, "1");
    EXPECT_EQ(list.find("kind")->choices.size(), 2u);
    EXPECT_EQ(list.find("counts"), nullptr);
}

TEST(ParamList, VectorsMayHaveARange) {
    Vec3 place = Vec3::Zero();
    ParamList list;
    list.vector("place", place, "m", coordinates(), "Place.");
    const Range& range = list.entries()[0].range;
    EXPECT_TRUE(range.contains(Vec3(1e8, -1e8, 0)));
    EXPECT_EQ(list.entries()[0].allowed_text(), "each " + range.text());
    EXPECT_FALSE(range.contains(Vec3(0, 0, 1.1e8)));
    EXPECT_FALSE(range.contains(Vec3(0, std::nan(""), 0)));
    EXPECT_EQ(up_to(2).text(), "> 0 and <= 2");
    EXPECT_TRUE(turns().contains(-1e6));
}

TEST(NumberText, TellsTwoNumbersApart) {
    using Texts = std::array<std::string, 2>;
    EXPECT_EQ(distinct_texts(0.5, 0.1, 3), (Texts{"0.5", "0.1"}));
    EXPECT_EQ(distinct_texts(0.10004, 0.1, 3), (Texts{"0.10004", "0.1"}));
    EXPECT_EQ(distinct_texts(0.1, 0.1, 3)[0], distinct_texts(0.1, 0.1, 3)[1]);
}

TEST(InputError, SaysWhereWhatAndHowToMend) {
    const InputError full({"a.json", "/cloths/0/nu"}, "too small", "1", "allowed: at least 2");
    EXPECT_STREQ(full.what(), "a.json: /cloths/0/nu: too small (got 1); allowed: at least 2");
    EXPECT_EQ(full.where().place, "/cloths/0/nu");
    EXPECT_EQ(full.remedy(), "allowed: at least 2");
    EXPECT_STREQ(InputError({}, "no cloth").what(), "no cloth");
    EXPECT_STREQ(InputError({"", "line 3"}, "no cloth").what(), "line 3: no cloth");
}

TEST(NearestName, FindsTypingSlipsAndNothingElse) {
    const std::vector<std::string> names{"gravity", "air_drag", "shear_springs"};
    EXPECT_EQ(nearest_name("gravty", names), "gravity");
    EXPECT_EQ(nearest_name("shear_spring", names), "shear_springs");
    EXPECT_EQ(nearest_name("airdrag", names), "air_drag");
    EXPECT_EQ(nearest_name("gravity", names), "gravity");
    EXPECT_EQ(nearest_name("wind", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(Hash, IsTheSameEverywhereForever) {
    EXPECT_EQ(hash_text(hash_bytes("", 0)), "2d06800538d394c2");  // of XXH3's own published tests
    EXPECT_EQ(hash_text(0x1f), "000000000000001f");
    const std::string text = "cloth that does not stretch";
    EXPECT_EQ(hash_bytes(text.data(), text.size()), hash_bytes(text.data(), text.size()));
    EXPECT_NE(hash_bytes(text.data(), text.size()), hash_bytes(text.data(), text.size(), 1));
    EXPECT_NE(hash_bytes(text.data(), text.size()), hash_bytes(text.data(), text.size() - 1));
    const double zero = 0.0, minus = -0.0;
    EXPECT_NE(hash_bytes(&zero, sizeof zero), hash_bytes(&minus, sizeof minus));
}

// Terms of wildly different size: any other order of additions gives other bits.
std::vector<double> rough_numbers(std::size_t n) {
    std::vector<double> numbers(n);
    std::uint64_t state = 12345;
    for (double& x : numbers) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        x = std::ldexp(double(std::int64_t(state)), int(state >> 58) - 90);
    }
    return numbers;
}

TEST(ParallelSum, HasTheSameBitsForAnyThreadCount) {
    const auto numbers = rough_numbers(100003);
    const auto sum = [&] {
        return parallel_sum(numbers.size(), [&](std::size_t begin, std::size_t end) {
            return std::accumulate(numbers.begin() + std::ptrdiff_t(begin),
                                   numbers.begin() + std::ptrdiff_t(end), 0.0);
        });
    };
    double one = 0, many = 0;
    {
        ThreadLimit limit(1);
        EXPECT_EQ(thread_count(), 1);
        one = sum();
    }
    for (int threads : {2, 3, 0}) {
        ThreadLimit limit(threads);
        for (int repeat = 0; repeat < 20; ++repeat) {
            many = sum();
            ASSERT_EQ(std::memcmp(&one, &many, sizeof one), 0) << threads;
        }
    }
    // The order is not that of one long loop: the test would see a difference.
    EXPECT_NE(one, std::accumulate(numbers.begin(), numbers.end(), 0.0));
}

TEST(ParallelFor, VisitsEveryIndexOnceInBlocks) {
    for (int threads : {1, 2}) {
        ThreadLimit limit(threads);
        for (std::size_t count :
             {std::size_t{0}, std::size_t{1}, loop_block, loop_block + 1, 5 * loop_block - 1}) {
            std::vector<int> visits(count, 0);
            parallel_for(count, [&](std::size_t begin, std::size_t end) {
                EXPECT_EQ(begin % loop_block, 0u);
                EXPECT_LE(end - begin, loop_block);
                for (std::size_t i = begin; i < end; ++i) ++visits[i];
            });
            for (int v : visits) ASSERT_EQ(v, 1);
        }
    }
}

TEST(ParallelMax, FindsTheLargestAndNan) {
    std::vector<double> numbers(3 * loop_block, -2.0);
    const auto largest = [&] {
        return parallel_max(numbers.size(), [&](std::size_t begin, std::size_t end) {
            double most = -infinity;
            for (std::size_t i = begin; i < end; ++i) {
                if (std::isnan(numbers[i])) return nan;
                most = std::max(most, numbers[i]);
            }
            return most;
        });
    };
    EXPECT_EQ(largest(), -2);
    numbers[2 * loop_block] = -1;
    EXPECT_EQ(largest(), -1);
    numbers[5] = nan;
    EXPECT_TRUE(std::isnan(largest()));
    EXPECT_EQ(parallel_max(0, [](std::size_t, std::size_t) { return 1.0; }), -infinity);
    EXPECT_EQ(parallel_sum(0, [](std::size_t, std::size_t) { return 1.0; }), 0);
}

}  // namespace
}  // namespace taut
