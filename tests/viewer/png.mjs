// Pixels of a PNG as browsers write screenshots: 8 bits, RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib';

function paeth(a, b, c) {
    const p = a + b - c, pa = Math.abs(p - a), pb = Math.abs(p - b), pc = Math.abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

export function decodePng(file) {
    let width = 0, height = 0, channels = 0;
    const parts = [];
    for (let at = 8; at < file.length;) {
        const length = file.readUInt32BE(at), type = file.toString('latin1', at + 4, at + 8);
        const data = file.subarray(at + 8, at + 8 + length);
        if (type === 'IHDR') {
            [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
            channels = { 2: 3, 6: 4 }[data[9]];
            if (data[8] !== 8 || !channels || data[12] !== 0) throw new Error('unexpected kind of PNG');
        }
        if (type === 'IDAT') parts.push(data);
        at += 12 + length;
    }

    // Undo the filter of every row.
    const raw = inflateSync(Buffer.concat(parts)), stride = width * channels;
    const pixels = new Uint8Array(stride * height);
    for (let y = 0; y < height; ++y) {
        const filter = raw[y * (stride + 1)], row = y * stride, from = y * (stride + 1) + 1;
        for (let x = 0; x < stride; ++x) {
            const left = x >= channels ? pixels[row + x - channels] : 0;
            const up = y > 0 ? pixels[row + x - stride] : 0;
            const corner = x >= channels && y > 0 ? pixels[row + x - stride - channels] : 0;
            const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
            pixels[row + x] = raw[from + x] + guess;
        }
    }
    return { width, height, channels, pixels };
}

// The part of an image inside { x, y, width, height }, rounded to whole pixels.
export function crop(image, { x, y, width, height }) {
    const [left, top, w, h] = [x, y, width, height].map(Math.round), { channels } = image;
    const pixels = new Uint8Array(w * h * channels);
    for (let row = 0; row < h; ++row) {
        const from = ((top + row) * image.width + left) * channels;
        pixels.set(image.pixels.subarray(from, from + w * channels), row * w * channels);
    }
    return { width: w, height: h, channels, pixels };
}

// Share of the pixels that differ by more than `least` in some channel.
export function difference(a, b, least = 12) {
    if (a.width !== b.width || a.height !== b.height) return 1;
    let differing = 0;
    for (let k = 0; k < a.width * a.height; ++k) {
        let most = 0;
        for (let c = 0; c < 3; ++c) {
            most = Math.max(most, Math.abs(a.pixels[k * a.channels + c] - b.pixels[k * b.channels + c]));
        }
        if (most > least) ++differing;
    }
    return differing / (a.width * a.height);
}

export function distinctColours(image) {
    const seen = new Set();
    for (let k = 0; k < image.pixels.length; k += image.channels) {
        seen.add((image.pixels[k] << 16) | (image.pixels[k + 1] << 8) | image.pixels[k + 2]);
    }
    return seen.size;
}
