// Reads a run out of the page: the other half of src/taut/io/view_run.cpp and view_blocks.cpp.
// Frames are decoded when they are first shown, and their text is dropped.

// Bytes of a base64 text.
export function decodeBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let k = 0; k < raw.length; ++k) bytes[k] = raw.charCodeAt(k);
    return bytes;
}

function takeBlock(id) {
    const element = document.getElementById(id);
    if (!element) throw new Error(`the page has no block ${id}`);
    const bytes = decodeBase64(element.textContent);
    element.remove();
    return bytes;
}

// Reads varints one after the other; products instead of shifts, since values may pass 32 bits.
class VarintReader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }
    plain() {
        let value = 0;
        for (let scale = 1; ; scale *= 128) {
            if (this.at >= this.bytes.length) throw new Error('a block of the page ends too early');
            const byte = this.bytes[this.at++];
            value += (byte & 127) * scale;
            if (byte < 128) return value;
        }
    }
    signed() {
        return unzigzag(this.plain());
    }
}

function unzigzag(value) {
    return value % 2 ? -(value + 1) / 2 : value / 2;
}

// Four corners per face; a triangle repeats its first corner as the fourth.
function decodeFaces(bytes, count) {
    const reader = new VarintReader(bytes);
    const corners = new Uint32Array(4 * count);
    for (let f = 0, first = 0; f < count; ++f) {
        first += reader.signed();
        corners[4 * f] = first;
        for (let k = 1; k < 4; ++k) corners[4 * f + k] = first + reader.signed();
    }
    return corners;
}

// Ends a, b; direction 0 none, 1 warp, 2 weft; bare 1 for an edge of no face.
function decodeEdges(bytes, count) {
    const reader = new VarintReader(bytes);
    const ends = new Uint32Array(2 * count), direction = new Uint8Array(count), bare = new Uint8Array(count);
    for (let e = 0, a = 0; e < count; ++e) {
        a += reader.signed();
        const word = reader.plain();
        ends[2 * e] = a;
        ends[2 * e + 1] = a + unzigzag(Math.floor(word / 8));
        direction[e] = word % 4;
        bare[e] = Math.floor(word / 4) % 2;
    }
    return { ends, direction, bare };
}

// Vertices that corrections start from, and per correction from, to and kind: 0 horizontal, 1 vertical, 2 shear.
function decodeMap(bytes, { fixed: fixedCount, corrections: count }) {
    const reader = new VarintReader(bytes);
    const fixed = new Uint32Array(fixedCount), ends = new Uint32Array(2 * count), kind = new Uint8Array(count);
    for (let k = 0, v = 0; k < fixedCount; ++k) fixed[k] = v += reader.signed();
    for (let k = 0, from = 0; k < count; ++k) {
        from += reader.signed();
        const word = reader.plain();
        ends[2 * k] = from;
        ends[2 * k + 1] = from + unzigzag(Math.floor(word / 4));
        kind[k] = word % 4;
    }
    return { fixed, ends, kind };
}

// Writes weight times the points of a block into out (3 floats per point), or adds them; packed: as 16-bit
// steps inside the box (min, size).
function blendPoints(from, box, packed, weight, out, add) {
    for (let axis = 0; axis < 3; ++axis) {
        const low = packed ? weight * box[axis] : 0, step = packed ? (weight * box[3 + axis]) / 65534 : weight;
        for (let k = axis; k < from.length; k += 3) {
            const value = packed && from[k] === 65535 ? NaN : low + step * from[k];
            out[k] = add ? out[k] + value : value;
        }
    }
}

// Faces and edges by the name of the run that brought them; other runs of the page may share them.
const topologies = new Map();

function topologyOf({ topology: name, faces, edges }) {
    if (!topologies.has(name)) {
        topologies.set(name, {
            faces: decodeFaces(takeBlock(`${name}-faces`), faces),
            edges: decodeEdges(takeBlock(`${name}-edges`), edges),
        });
    }
    return topologies.get(name);
}

export class Run {
    // name: what the ids of the run's blocks begin with.
    constructor(name = 'taut') {
        const block = document.getElementById(`${name}-run`);
        if (!block) throw new Error('there is no run in this page; `taut view` writes one');
        this.name = name;
        this.info = JSON.parse(block.textContent);
        Object.assign(this, topologyOf(this.info));
        this.decoded = new Array(this.info.frames.length);
        this.meshes = new Map();
        this.maps = new Map();
        this.times = this.info.frames.map((frame) => frame.t);
    }

    get frameCount() {
        return this.info.frames.length;
    }

    // Boxes, positions (floats, or steps inside the boxes) and strain codes of a frame.
    frame(k) {
        if (!this.decoded[k]) {
            const bytes = takeBlock(`${this.name}-frame-${k}`), cloths = this.info.cloths.length, n = this.info.vertices;
            const Positions = this.info.packed ? Uint16Array : Float32Array;
            const boxes = new Float32Array(bytes.buffer, 0, 6 * cloths);
            const positions = new Positions(bytes.buffer, boxes.byteLength, 3 * n);
            const codes = new Uint8Array(bytes.buffer, boxes.byteLength + positions.byteLength, n);
            this.decoded[k] = { boxes, positions, codes };
        }
        return this.decoded[k];
    }

    // Fills out (3 floats per vertex) with the positions between frames k and k + 1, at share 0..1.
    positions(k, share, out) {
        const next = Math.min(k + 1, this.frameCount - 1);
        this.addPositions(this.frame(k), 1 - share, out, false);
        if (share > 0) this.addPositions(this.frame(next), share, out, true);
    }

    addPositions(frame, weight, out, add) {
        this.info.cloths.forEach((cloth, c) => {
            const begin = 3 * cloth.first_vertex, end = begin + 3 * cloth.vertices;
            blendPoints(frame.positions.subarray(begin, end), frame.boxes.subarray(6 * c, 6 * c + 6),
                this.info.packed, weight, out.subarray(begin, end), add);
        });
    }

    // Corners of the triangles of obstacle o, a mesh.
    triangles(o) {
        const count = this.info.obstacles[o].triangles;
        const faces = decodeFaces(takeBlock(`${this.name}-triangles-${o}`), count);
        const corners = new Uint32Array(3 * count);
        for (let t = 0; t < count; ++t) corners.set(faces.subarray(4 * t, 4 * t + 3), 3 * t);
        return corners;
    }

    // Box and points of a block of an obstacle that is a mesh.
    meshBlock(id) {
        if (!this.meshes.has(id)) {
            const { buffer } = takeBlock(`${this.name}-points-${id}`);
            const Positions = this.info.packed ? Uint16Array : Float32Array;
            this.meshes.set(id, { box: new Float32Array(buffer, 0, 6), points: new Positions(buffer, 24) });
        }
        return this.meshes.get(id);
    }

    // Fills out with the points of mesh obstacle o: at rest, or where it deforms between frames k and k + 1.
    meshPoints(o, k, share, out) {
        const blend = (id, weight, add) => {
            const { box, points } = this.meshBlock(id);
            blendPoints(points, box, this.info.packed, weight, out, add);
        };
        if (!this.info.obstacles[o].deforming) return blend(`${o}`, 1, false);
        blend(`${o}-${k}`, 1 - share, false);
        if (share > 0) blend(`${o}-${Math.min(k + 1, this.frameCount - 1)}`, share, true);
    }

    // The correction map in use at a time [s]: its place in the list of maps, -1 where its list was left out
    // or there is none. Before the first change it is the first.
    mapAt(time) {
        const active = this.info.correction_maps?.active ?? [];
        let low = 0, high = active.length - 1;
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            if (active[middle][0] <= time) low = middle;
            else high = middle - 1;
        }
        return Number.isInteger(active[low]?.[1]) ? active[low][1] : -1;
    }

    map(k) {
        if (!this.maps.has(k)) {
            this.maps.set(k, decodeMap(takeBlock(`${this.name}-map-${k}`), this.info.correction_maps.maps[k]));
        }
        return this.maps.get(k);
    }

    // Mean length of the edges of all faces at the first frame [m]; 0 where there are none.
    meanEdge() {
        if (this.frameCount === 0) return 0;
        const x = new Float32Array(3 * this.info.vertices), { ends, bare } = this.edges;
        this.positions(0, 0, x);
        let sum = 0, count = 0;
        for (let e = 0; e < bare.length; ++e) {
            const a = 3 * ends[2 * e], b = 3 * ends[2 * e + 1];
            const length = Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
            if (bare[e] || !Number.isFinite(length)) continue;
            sum += length;
            ++count;
        }
        return count > 0 ? sum / count : 0;
    }

    // Strain that a code stands for: the upper end of its step.
    strainOfCode(code) {
        const scale = this.info.strain_scale;
        if (code <= 0) return 0;
        return scale.reference * 10 ** ((code - scale.reference_code) / scale.steps_per_decade);
    }

    // Frame and share of the way to the next at a time [s]; before and after the run it holds its ends.
    at(time) {
        const { times } = this;
        let low = 0, high = Math.max(times.length - 1, 0);
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            if (times[middle] <= time) low = middle;
            else high = middle - 1;
        }
        const span = times[low + 1] - times[low];
        return { frame: low, share: span > 0 ? Math.min(Math.max((time - times[low]) / span, 0), 1) : 0 };
    }

    // Largest strain of any frame in the page.
    largestStrain() {
        return this.info.frames.reduce((most, frame) => Math.max(most, frame.max_strain ?? 0), 0);
    }
}
