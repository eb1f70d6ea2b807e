// PNG files through libpng: encoded in memory, then written all or nothing.
#include <png.h>

#include <exception>

#include "taut/base/error.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/picture.hpp"

namespace taut::io {
namespace {

// No exception may pass through libpng: tell it of the failure in its own way.
void append_bytes(png_structp png, png_bytep data, png_size_t count) {
    bool full = false;
    try {
        static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), count);
    } catch (const std::exception&) {
        full = true;
    }
    if (full) png_error(png, "out of memory");
}

void keep_bytes(png_structp) {}

void stay_silent(png_structp, png_const_charp) {}

// libpng leaves by longjmp on failure: nothing in here may need a destructor.
bool encode(const Image& image, const char* title, std::string& bytes) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, stay_silent);
    if (png == nullptr) return false;
    png_infop info = png_create_info_struct(png);
    if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, &bytes, append_bytes, keep_bytes);
    png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);

    // Name the program and the title; titles are UTF-8.
    char key_title[] = "Title", key_software[] = "Software", software[] = "taut";
    png_text text[2] = {};
    text[0].compression = PNG_TEXT_COMPRESSION_NONE;
    text[0].key = key_software;
    text[0].text = software;
    text[1].compression = PNG_ITXT_COMPRESSION_NONE;
    text[1].key = key_title;
    text[1].text = const_cast<char*>(title);
    png_set_text(png, info, text, title[0] != '\0' ? 2 : 1);
    png_write_info(png, info);
    const std::size_t stride = 3 * static_cast<std::size_t>(image.width);
    for (int y = 0; y < image.height; ++y) {
        png_write_row(png, image.rgb.data() + stride * static_cast<std::size_t>(y));
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

}  // namespace

void write_png(const std::filesystem::path& file, const Image& image, const std::string& title) {
    const std::size_t pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    if (image.width <= 0 || image.height <= 0 || image.rgb.size() != 3 * pixels) {
        throw InputError({file.string(), ""}, "an empty picture cannot be written");
    }
    std::string bytes;
    if (!encode(image, title.c_str(), bytes)) {
        throw InputError({file.string(), ""}, "the picture cannot be encoded", "",
                         "choose a smaller picture");
    }
    write_file(file, bytes);
}

}  // namespace taut::io
