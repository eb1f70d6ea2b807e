// A correction map on the stage: an arrow for every correction, from the vertex that stays to the one that
// moves, coloured from first to last, and a dot on every vertex the corrections start from. Arrows have sizes
// in pixels and lie a little in front of the cloth, which hides those behind it. They are instances in the order
// of the corrections, so that the first n are drawn by drawing n instances.
import * as THREE from 'three';

// From first to last: the scale of the pictures that taut draws itself.
const ramp = ['#15197c', '#55248a', '#8d3083', '#bd436c', '#e06549', '#ee921a'];
const rampColours = ramp.map((text) => new THREE.Color(text).convertLinearToSRGB());

// Up to so many corrections have heads; more would fill the cells of the cloth.
const mostHeads = 3000;

export const orderGradient = `linear-gradient(to right, ${ramp.join(', ')})`;

function orderColour(share, out) {
    const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1), k = Math.min(Math.floor(place), ramp.length - 2);
    return out.copy(rampColours[k]).lerp(rampColours[k + 1], place - k).convertSRGBToLinear();
}

// Corners of an arrow: x across in half widths, y along 0 or 1; z 0 for the shaft, 1 for the head.
const arrowCorners = [[-1, 0, 0], [1, 0, 0], [1, 1, 0], [-1, 0, 0], [1, 1, 0], [-1, 1, 0], [-1, 0, 1], [1, 0, 1], [0, 1, 1]];

const arrowShader = {
    vertexShader: `
        attribute vec3 start, end, tint;
        attribute float lane;
        uniform vec2 size;
        uniform float line, head, gap, near;
        uniform int latest;
        varying vec3 vTint;
        void main() {
            vTint = tint;
            gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
            vec3 a = (modelViewMatrix * vec4(start, 1.0)).xyz, b = (modelViewMatrix * vec4(end, 1.0)).xyz;
            if (a.z > -near || b.z > -near || !(distance(a, b) > 0.0)) return;

            // Come towards the eye by part of the edge, and measure in the picture [pixels].
            float lift = 0.12 * distance(a, b);
            a *= 1.0 - min(lift / length(a), 0.5);
            b *= 1.0 - min(lift / length(b), 0.5);
            vec4 from = projectionMatrix * vec4(a, 1.0), to = projectionMatrix * vec4(b, 1.0);
            vec2 p = 0.5 * size * from.xy / from.w, q = 0.5 * size * to.xy / to.w;
            float span = distance(p, q);
            if (span < 0.5) return;
            vec2 along = (q - p) / span, side = vec2(along.y, -along.x);

            // Let the latest arrow stand out; keep to the right of one that goes back.
            float bold = gl_InstanceID == latest ? 2.0 : 1.0;
            float tip = 1.0 - gap, headLength = min(bold * head, 0.55 * span) / span;
            bool isHead = position.z > 0.5;
            float first = isHead ? tip - headLength : gap, last = isHead ? tip : tip - 0.9 * headLength;
            float place = mix(first, max(first, last), position.y);
            float half_width = isHead ? 0.42 * headLength * span : 0.5 * bold * line;
            if (isHead && head <= 0.0) return;
            vec2 at = p + place * span * along + (half_width * position.x + lane * line) * side;
            float w = 1.0 / mix(1.0 / from.w, 1.0 / to.w, place);
            float depth = mix(from.z / from.w, to.z / to.w, place) - (bold > 1.0 ? 1e-4 : 0.0);
            gl_Position = vec4(at / (0.5 * size) * w, depth * w, w);
        }`,
    fragmentShader: `
        varying vec3 vTint;
        void main() {
            gl_FragColor = vec4(vTint, 1.0);
            #include <colorspace_fragment>
        }`,
};

const dotShader = {
    vertexShader: `
        uniform float dot, lift;
        void main() {
            vec3 p = (modelViewMatrix * vec4(position, 1.0)).xyz;
            p *= 1.0 - min(lift / length(p), 0.5);
            gl_Position = projectionMatrix * vec4(p, 1.0);
            gl_PointSize = dot;
        }`,
    fragmentShader: `
        void main() {
            float r = 2.0 * length(gl_PointCoord - 0.5);
            if (r > 1.0) discard;
            gl_FragColor = vec4(vec3(r > 0.72 ? 1.0 : 0.02), 1.0);
            #include <colorspace_fragment>
        }`,
};

export class CorrectionMapView {
    // positions: of all vertices, as they are shown.
    constructor(run, positions) {
        Object.assign(this, { run, positions, shown: -1, upTo: Infinity });
        this.group = new THREE.Group();
        this.group.visible = false;
        this.dotLift = 0.2 * run.meanEdge();
    }

    // Brings map k of the run; -1: none.
    choose(k) {
        if (k === this.shown) return;
        this.shown = k;
        for (const object of this.group.children) {
            object.geometry.dispose();
            object.material.dispose();
        }
        this.group.clear();
        this.map = k < 0 ? null : this.run.map(k);
        if (!this.map) return;
        this.buildArrows();
        this.buildDots();
    }

    get count() {
        return this.map ? this.map.kind.length : 0;
    }

    buildArrows() {
        const { ends } = this.map, n = this.count, heads = n <= mostHeads;
        const tints = new Float32Array(3 * n), lanes = new Float32Array(n), colour = new THREE.Color();
        for (let k = 0; k < n; ++k) orderColour(k / Math.max(n - 1, 1), colour).toArray(tints, 3 * k);
        if (heads) {
            const key = (a, b) => a * this.run.info.vertices + b, directed = new Set();
            for (let k = 0; k < n; ++k) directed.add(key(ends[2 * k], ends[2 * k + 1]));
            for (let k = 0; k < n; ++k) lanes[k] = directed.has(key(ends[2 * k + 1], ends[2 * k])) ? 1 : 0;
        }
        this.starts = new THREE.InstancedBufferAttribute(new Float32Array(3 * n), 3).setUsage(THREE.DynamicDrawUsage);
        this.tips = new THREE.InstancedBufferAttribute(new Float32Array(3 * n), 3).setUsage(THREE.DynamicDrawUsage);
        const geometry = new THREE.InstancedBufferGeometry(), corners = heads ? arrowCorners : arrowCorners.slice(0, 6);
        geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(corners.flat()), 3));
        geometry.setAttribute('start', this.starts);
        geometry.setAttribute('end', this.tips);
        geometry.setAttribute('tint', new THREE.InstancedBufferAttribute(tints, 3));
        geometry.setAttribute('lane', new THREE.InstancedBufferAttribute(lanes, 1));
        const uniforms = {
            size: { value: new THREE.Vector2(1, 1) }, near: { value: 0 }, latest: { value: -1 },
            line: { value: 1 }, head: { value: 0 }, gap: { value: heads ? 0.08 : 0 },
        };
        const arrows = new THREE.Mesh(geometry, new THREE.ShaderMaterial({ ...arrowShader, uniforms, side: THREE.DoubleSide }));
        arrows.frustumCulled = false;
        arrows.onBeforeRender = (renderer, scene, camera) => this.measure(renderer, camera, uniforms, heads);
        this.arrows = arrows;
        this.group.add(arrows);
    }

    // Sizes follow the window, and the length of edges at the distance of the scene.
    measure(renderer, camera, uniforms, heads) {
        const ratio = renderer.getPixelRatio();
        renderer.getDrawingBufferSize(uniforms.size.value);
        uniforms.near.value = camera.near;
        const distance = Math.max(camera.position.distanceTo(this.middle), camera.near);
        const typical = (this.length / distance) * (uniforms.size.value.y / (2 * Math.tan((camera.fov * Math.PI) / 360)));
        const within = (share, least, most) => Math.min(Math.max(share * typical, least * ratio), most * ratio);
        uniforms.line.value = heads ? within(0.06, 1, 3) : within(0.1, 0.8, 2);
        uniforms.head.value = heads ? within(0.3, 3, 14) : 0;
    }

    buildDots() {
        const { fixed } = this.map;
        if (fixed.length === 0) return;
        this.places = new THREE.BufferAttribute(new Float32Array(3 * fixed.length), 3).setUsage(THREE.DynamicDrawUsage);
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', this.places);
        const uniforms = { dot: { value: 9 }, lift: { value: this.dotLift } };
        const dots = new THREE.Points(geometry, new THREE.ShaderMaterial({ ...dotShader, uniforms }));
        dots.frustumCulled = false;
        const size = fixed.length > 500 ? 5 : 10;
        dots.onBeforeRender = (renderer) => (uniforms.dot.value = size * renderer.getPixelRatio());
        this.group.add(dots);
    }

    // Called after the positions have changed.
    update() {
        if (!this.group.visible || !this.map) return;
        const { ends, fixed } = this.map, x = this.positions, n = this.count;
        const drawn = Math.min(this.upTo, n);
        let sum = 0, counted = 0;
        this.middle = new THREE.Vector3();
        for (let k = 0; k < n; ++k) {
            const a = 3 * ends[2 * k], b = 3 * ends[2 * k + 1];
            for (let c = 0; c < 3; ++c) {
                this.starts.array[3 * k + c] = x[a + c];
                this.tips.array[3 * k + c] = x[b + c];
            }
            const length = Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
            if (!Number.isFinite(length)) continue;
            sum += length;
            ++counted;
            this.middle.x += x[a];
            this.middle.y += x[a + 1];
            this.middle.z += x[a + 2];
        }
        this.length = sum / Math.max(counted, 1);
        this.middle.divideScalar(Math.max(counted, 1));
        this.starts.needsUpdate = this.tips.needsUpdate = true;
        this.arrows.geometry.instanceCount = drawn;
        this.arrows.material.uniforms.latest.value = drawn < n ? drawn - 1 : -1;
        fixed.forEach((vertex, k) => this.places.array.set(x.subarray(3 * vertex, 3 * vertex + 3), 3 * k));
        if (fixed.length > 0) this.places.needsUpdate = true;
    }
}
