// One cloth on the stage: its surface, its yarns as lines, and bare edges (chains) as tubes. All
// cloths share the arrays of positions and codes; a cloth draws its own range of them.
import * as THREE from 'three';
import { keyDirection } from './stage.js';

// Front and back of the cloth, one pair per cloth in turn.
const tints = [
    ['#4a6fa5', '#d9b48c'],
    ['#b5555a', '#e3cfc0'],
    ['#4f8a6f', '#dcd3a6'],
    ['#8265a7', '#cfd6e6'],
    ['#c08a3e', '#9fb6bd'],
    ['#3f8b99', '#e0b7ae'],
];
// Yarns as lines: neither direction, warp, weft.
const yarnTints = { light: ['#7b818c', '#16306e', '#9c3512'], dark: ['#8b93a3', '#a9c4ff', '#ffb38f'] };

export function tintOf(index) {
    return tints[index % tints.length];
}

// Adds front and back tints, the strain table and the soft bright edge of woven fibres to a matte material.
// Shadows are looked up a little off the surface, on the side of the light: a cloth has two.
function addTints(material, uniforms) {
    const towardsLight = THREE.ShaderChunk.shadowmap_vertex.replace('vec4 shadowWorldPosition;', `
        if (dot(shadowWorldNormal, keyDirection) < 0.0) shadowWorldNormal = -shadowWorldNormal;
        vec4 shadowWorldPosition;`);
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms, { keyDirection: { value: keyDirection } });
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', `#include <common>
                attribute float code;
                varying float vCode;
                uniform vec3 keyDirection;`)
            .replace('#include <begin_vertex>', '#include <begin_vertex>\nvCode = code;')
            .replace('#include <shadowmap_vertex>', towardsLight);
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', `#include <common>
                uniform sampler2D heatTable;
                uniform float heat;
                uniform float pale;
                uniform vec3 backTint;
                varying float vCode;`)
            .replace('#include <color_fragment>', `#include <color_fragment>
                if (!gl_FrontFacing) diffuseColor.rgb = backTint;
                diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.84, 0.83, 0.81), 0.8 * pale);
                vec3 heatColour = texture2D(heatTable, vec2((vCode + 0.5) / 256.0, 0.5)).rgb;
                diffuseColor.rgb = mix(diffuseColor.rgb, 0.72 * heatColour, heat);`)
            .replace('#include <emissivemap_fragment>', `#include <emissivemap_fragment>
                totalEmissiveRadiance += heat * 0.3 * heatColour + (1.0 - heat) * 0.25 * pale * diffuseColor.rgb;
                float edge = 1.0 - abs(dot(normal, normalize(vViewPosition)));
                totalEmissiveRadiance += (1.0 - 0.7 * heat) * 0.16 * edge * edge * edge * (diffuseColor.rgb + 0.25);`);
    };
    return material;
}

export class ClothView {
    constructor(run, index, shared) {
        this.cloth = run.info.cloths[index];
        this.group = new THREE.Group();
        this.group.name = this.cloth.name;
        const { first_vertex: first, vertices: count } = this.cloth;
        this.positions = shared.positions.subarray(3 * first, 3 * (first + count));
        this.codes = shared.codes.subarray(first, first + count);
        this.normals = new Float32Array(3 * count);
        const [front, back] = tintOf(index);
        this.uniforms = {
            heat: { value: 0 },
            pale: { value: 0 },
            lineHeat: { value: 0 },
            heatTable: { value: shared.heatTexture },
            backTint: { value: new THREE.Color(back) },
        };
        this.frontTint = front;
        this.position = new THREE.BufferAttribute(this.positions, 3).setUsage(THREE.DynamicDrawUsage);
        this.code = new THREE.BufferAttribute(this.codes, 1).setUsage(THREE.DynamicDrawUsage);
        this.buildSurface(run);
        this.buildYarns(run);
        this.buildChain(run, shared);
    }

    // Two triangles per quad; corners are counted from the cloth's first vertex.
    buildSurface(run) {
        const { first_face: begin, faces: count, first_vertex: first } = this.cloth;
        this.corners = run.faces.slice(4 * begin, 4 * (begin + count)).map((corner) => corner - first);
        if (count === 0) return;
        const index = new Uint32Array(6 * count);
        let used = 0;
        for (let f = 0; f < count; ++f) {
            const [a, b, c, d] = this.corners.subarray(4 * f, 4 * f + 4);
            index.set([a, b, c], used);
            used += 3;
            if (d === a) continue;
            index.set([a, c, d], used);
            used += 3;
        }
        this.normal = new THREE.BufferAttribute(this.normals, 3).setUsage(THREE.DynamicDrawUsage);
        const geometry = new THREE.BufferGeometry();
        geometry.setIndex(new THREE.BufferAttribute(index.subarray(0, used), 1));
        geometry.setAttribute('position', this.position);
        geometry.setAttribute('normal', this.normal);
        geometry.setAttribute('code', this.code);
        const material = new THREE.MeshLambertMaterial({
            color: this.frontTint, side: THREE.DoubleSide,
            polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
        });
        material.shadowSide = THREE.DoubleSide;
        this.surface = new THREE.Mesh(geometry, addTints(material, this.uniforms));
        this.surface.castShadow = this.surface.receiveShadow = true;
        this.surface.frustumCulled = false;
        this.group.add(this.surface);
    }

    // One set of lines per yarn direction.
    buildYarns(run) {
        const { first_edge: begin, edges: count, first_vertex: first } = this.cloth;
        this.yarns = new THREE.Group();
        this.yarns.visible = false;
        this.lines = [];
        for (let direction = 0; direction < 3; ++direction) {
            const index = [];
            for (let e = begin; e < begin + count; ++e) {
                if (run.edges.direction[e] !== direction || run.edges.bare[e]) continue;
                index.push(run.edges.ends[2 * e] - first, run.edges.ends[2 * e + 1] - first);
            }
            if (index.length === 0) continue;
            const geometry = new THREE.BufferGeometry();
            geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(index), 1));
            geometry.setAttribute('position', this.position);
            geometry.setAttribute('code', this.code);
            const material = new THREE.LineBasicMaterial({ transparent: true });
            const lines = new THREE.LineSegments(geometry, addLineHeat(material, this.uniforms));
            lines.frustumCulled = false;
            lines.userData.direction = direction;
            this.lines.push(lines);
            this.yarns.add(lines);
        }
        this.group.add(this.yarns);
    }

    // A cylinder per bare edge, a ball at each of its ends.
    buildChain(run, { extent }) {
        const { first_edge: begin, edges: count, first_vertex: first } = this.cloth;
        const ends = [];
        for (let e = begin; e < begin + count; ++e) {
            if (run.edges.bare[e]) ends.push(run.edges.ends[2 * e] - first, run.edges.ends[2 * e + 1] - first);
        }
        if (ends.length === 0) return;
        this.links = new Uint32Array(ends);
        this.joints = Uint32Array.from(new Set(ends));
        const many = this.joints.length > 5000;
        // Thin enough that links stay apart, thick enough to be seen.
        const link = this.meanLink(run);
        this.radius = Math.max(Math.min(0.0035 * extent, 0.22 * link), 0.0012 * extent);
        const rod = new THREE.CylinderGeometry(1, 1, 1, many ? 5 : 10, 1, true).rotateX(Math.PI / 2);
        const ball = new THREE.IcosahedronGeometry(1, many ? 0 : 2);
        this.rods = this.instances(rod, this.links.length / 2);
        this.balls = this.instances(ball, this.joints.length);
    }

    // Mean length of the links at the first frame [m].
    meanLink(run) {
        if (run.frameCount === 0) return 0;
        const x = new Float32Array(3 * run.info.vertices), first = this.cloth.first_vertex;
        run.positions(0, 0, x);
        let sum = 0;
        for (let k = 0; k < this.links.length; k += 2) {
            const a = 3 * (first + this.links[k]), b = 3 * (first + this.links[k + 1]);
            sum += Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
        }
        return (2 * sum) / this.links.length;
    }

    instances(geometry, count) {
        const code = new THREE.InstancedBufferAttribute(new Uint8Array(count), 1);
        geometry.setAttribute('code', code.setUsage(THREE.DynamicDrawUsage));
        const material = new THREE.MeshLambertMaterial({ color: this.frontTint });
        const mesh = new THREE.InstancedMesh(geometry, addTints(material, this.uniforms), count);
        mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        mesh.castShadow = mesh.receiveShadow = true;
        mesh.frustumCulled = false;
        this.group.add(mesh);
        return mesh;
    }

    // Called after the shared positions and codes have changed.
    update() {
        this.position.needsUpdate = true;
        this.code.needsUpdate = true;
        if (this.surface) {
            computeNormals(this.positions, this.corners, this.normals);
            this.normal.needsUpdate = true;
        }
        if (this.links) this.updateChain();
    }

    updateChain() {
        const a = new THREE.Vector3(), b = new THREE.Vector3(), middle = new THREE.Vector3();
        const turn = new THREE.Quaternion(), size = new THREE.Vector3(), matrix = new THREE.Matrix4();
        const axis = new THREE.Vector3(0, 0, 1), direction = new THREE.Vector3();
        for (let k = 0; k < this.links.length / 2; ++k) {
            const [i, j] = [this.links[2 * k], this.links[2 * k + 1]];
            a.fromArray(this.positions, 3 * i);
            b.fromArray(this.positions, 3 * j);
            direction.subVectors(b, a);
            const length = direction.length();
            turn.setFromUnitVectors(axis, direction.divideScalar(length || 1));
            matrix.compose(middle.lerpVectors(a, b, 0.5), turn, size.set(this.radius, this.radius, length));
            this.rods.setMatrixAt(k, matrix);
            this.rods.geometry.attributes.code.array[k] = Math.max(this.codes[i], this.codes[j]);
        }
        turn.identity();
        size.setScalar(1.25 * this.radius);
        this.joints.forEach((vertex, k) => {
            this.balls.setMatrixAt(k, matrix.compose(a.fromArray(this.positions, 3 * vertex), turn, size));
            this.balls.geometry.attributes.code.array[k] = this.codes[vertex];
        });
        for (const mesh of [this.rods, this.balls]) {
            mesh.instanceMatrix.needsUpdate = true;
            mesh.geometry.attributes.code.needsUpdate = true;
        }
    }

    // mode: solid, mesh (surface and yarns) or wire (yarns alone).
    setMode(mode, heat) {
        this.uniforms.heat.value = heat ? 1 : 0;
        if (this.surface) this.surface.visible = mode !== 'wire';
        this.yarns.visible = mode !== 'solid';
        for (const lines of this.lines) {
            lines.material.opacity = mode === 'mesh' ? 0.55 : 0.9;
        }
        this.uniforms.lineHeat.value = heat && mode === 'wire' ? 1 : 0;
    }

    // Pale cloth lets what is drawn on it be seen.
    setPale(on) {
        this.uniforms.pale.value = on ? 1 : 0;
    }

    setTheme(name) {
        for (const lines of this.lines) lines.material.color.set(yarnTints[name][lines.userData.direction]);
    }
}

// Lines take the strain colours only when they are drawn without the surface.
function addLineHeat(material, uniforms) {
    material.onBeforeCompile = (shader) => {
        shader.uniforms.heatTable = uniforms.heatTable;
        shader.uniforms.lineHeat = uniforms.lineHeat;
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nattribute float code;\nvarying float vCode;')
            .replace('#include <begin_vertex>', '#include <begin_vertex>\nvCode = code;');
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', `#include <common>
                uniform sampler2D heatTable;
                uniform float lineHeat;
                varying float vCode;`)
            .replace('#include <color_fragment>', `#include <color_fragment>
                vec3 heatColour = texture2D(heatTable, vec2((vCode + 0.5) / 256.0, 0.5)).rgb;
                diffuseColor.rgb = mix(diffuseColor.rgb, heatColour, lineHeat);`);
    };
    return material;
}

// Vertex normals: the cross product of the diagonals of every face, added at its corners. In a
// triangle the fourth corner is the first, and the same product is the triangle's normal.
export function computeNormals(x, corners, normals) {
    normals.fill(0);
    for (let f = 0; f < corners.length; f += 4) {
        const a = 3 * corners[f], b = 3 * corners[f + 1], c = 3 * corners[f + 2], d = 3 * corners[f + 3];
        const px = x[c] - x[a], py = x[c + 1] - x[a + 1], pz = x[c + 2] - x[a + 2];
        const qx = x[d] - x[b], qy = x[d + 1] - x[b + 1], qz = x[d + 2] - x[b + 2];
        const nx = py * qz - pz * qy, ny = pz * qx - px * qz, nz = px * qy - py * qx;
        normals[a] += nx; normals[a + 1] += ny; normals[a + 2] += nz;
        normals[b] += nx; normals[b + 1] += ny; normals[b + 2] += nz;
        normals[c] += nx; normals[c + 1] += ny; normals[c + 2] += nz;
        if (d === a) continue;
        normals[d] += nx; normals[d + 1] += ny; normals[d + 2] += nz;
    }
    for (let k = 0; k < normals.length; k += 3) {
        const length = Math.sqrt(normals[k] ** 2 + normals[k + 1] ** 2 + normals[k + 2] ** 2);
        if (length > 0) {
            normals[k] /= length; normals[k + 1] /= length; normals[k + 2] /= length;
        } else {
            normals[k + 2] = 1;
        }
    }
}
