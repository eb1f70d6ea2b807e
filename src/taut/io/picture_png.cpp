// PNG files through libpng, complete or not at all: a temporary file is renamed when it is whole.
#include <png.h>

#include <cstdio>
#include <memory>
#include <system_error>

#include "taut/base/error.hpp"
#include "taut/io/picture.hpp"

namespace taut::io {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

// libpng leaves by longjmp on failure: nothing in here may need a destructor.
bool write_rows(std::FILE* file, const Image& image, const char* title) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    if (png == nullptr) return false;
    png_infop info = png_create_info_struct(png);
    if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    char key_title[] = "Title", key_software[] = "Software", software[] = "taut";
    png_text text[2] = {};
    text[0].compression = text[1].compression = PNG_TEXT_COMPRESSION_NONE;
    text[0].key = key_software;
    text[0].text = software;
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
    if (pixels == 0 || image.rgb.size() != 3 * pixels) {
        throw InputError({file.string(), ""}, "an empty picture cannot be written");
    }
    std::filesystem::path part = file;
    part += ".part";
    std::error_code error;
    bool written = false;
    {
        std::unique_ptr<std::FILE, CloseFile> stream(std::fopen(part.c_str(), "wb"));
        if (stream) written = write_rows(stream.get(), image, title.c_str()) && std::fflush(stream.get()) == 0;
    }
    if (written) std::filesystem::rename(part, file, error);
    if (!written || error) {
        std::error_code ignored;
        std::filesystem::remove(part, ignored);
        throw InputError({file.string(), ""}, "the picture cannot be written", error ? error.message() : "",
                         "check that the folder exists, is writable and has room");
    }
}

}  // namespace taut::io
