// Obstacles on the stage: shapes as they are at rest, carried by their placement at each frame; meshes that
// deform bring their points instead.
import * as THREE from 'three';
import { Floor, pushBack } from './floor.js';

function place(rows) {
    const matrix = new THREE.Matrix4().set(...rows, 0, 0, 0, 1);
    const turn = new THREE.Quaternion().setFromRotationMatrix(matrix);
    return { position: new THREE.Vector3().setFromMatrixPosition(matrix), turn };
}

const vector = (numbers) => new THREE.Vector3(...numbers);

function sphere(obstacle) {
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(obstacle.radius, 64, 40).rotateX(Math.PI / 2));
    mesh.position.copy(vector(obstacle.center));
    return mesh;
}

function capsule(obstacle) {
    const a = vector(obstacle.center), b = vector(obstacle.end), axis = b.clone().sub(a);
    const length = axis.length();
    const mesh = new THREE.Mesh(new THREE.CapsuleGeometry(obstacle.radius, length, 20, 48));
    mesh.position.copy(a).lerp(b, 0.5);
    if (length > 0) mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis.normalize());
    return mesh;
}

function box(obstacle) {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(...obstacle.half_size.map((half) => 2 * half)));
    mesh.position.copy(vector(obstacle.center));
    return mesh;
}

// The same corners as in the solver; own normals for every facet keep it flat.
function polygonSphere(obstacle) {
    const geometry = new THREE.IcosahedronGeometry(obstacle.radius, obstacle.frequency - 1);
    geometry.computeVertexNormals();
    const mesh = new THREE.Mesh(geometry);
    mesh.position.copy(vector(obstacle.center));
    return mesh;
}

// Smoothly shaded triangles, seen from both sides since a mesh may be open.
function triangleMesh(obstacle, run, index) {
    const geometry = new THREE.BufferGeometry();
    const positions = new THREE.BufferAttribute(new Float32Array(3 * obstacle.points), 3);
    geometry.setIndex(new THREE.BufferAttribute(run.triangles(index), 1));
    geometry.setAttribute('position', positions.setUsage(THREE.DynamicDrawUsage));
    if (run.frameCount > 0) run.meshPoints(index, 0, 0, positions.array);
    geometry.computeVertexNormals();
    const mesh = new THREE.Mesh(geometry);
    mesh.frustumCulled = !obstacle.deforming;
    return mesh;
}

const makers = { sphere, capsule, box, polygon_sphere: polygonSphere, mesh: triangleMesh };

export class ObstacleView {
    // extent: size of the scene [m]; focus: its middle, at which a plane is centred; depth: see pushBack.
    constructor(run, index, { extent, focus, depth }) {
        this.run = run;
        this.index = index;
        this.obstacle = run.info.obstacles[index];
        this.group = new THREE.Group();
        this.group.name = this.obstacle.name;
        this.places = run.info.frames.map((frame) => frame.moved?.[index] ?? null)
            .map((rows) => place(rows ?? this.obstacle.place));
        if (this.obstacle.shape === 'plane') {
            this.buildPlane(extent, focus, depth);
        } else {
            this.mesh = makers[this.obstacle.shape](this.obstacle, run, index);
            this.mesh.material = new THREE.MeshLambertMaterial();
            if (this.obstacle.shape === 'mesh') {
                this.mesh.material.side = THREE.DoubleSide;
                this.mesh.material.shadowSide = THREE.BackSide;
            }
            this.mesh.material.onBeforeCompile = (shader) => pushBack(shader, depth);
            this.mesh.castShadow = this.mesh.receiveShadow = true;
            this.group.add(this.mesh);
        }
        this.update(0, 0);
    }

    buildPlane(extent, focus, depth) {
        const normal = vector(this.obstacle.normal), point = vector(this.obstacle.center);
        this.floor = new Floor(extent, depth);
        this.mesh = this.floor.mesh;
        const height = focus.clone().sub(point).dot(normal);
        this.mesh.position.copy(focus).addScaledVector(normal, -height);
        // A level floor keeps the grid on whole multiples of its spacing.
        if (normal.z > 0.999999) {
            const cell = 10 * this.floor.uniforms.spacing.value;
            this.mesh.position.x = Math.round(this.mesh.position.x / cell) * cell;
            this.mesh.position.y = Math.round(this.mesh.position.y / cell) * cell;
        }
        this.mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
        this.group.add(this.mesh);
    }

    setTheme(theme) {
        if (this.floor) this.floor.setTheme(theme);
        else this.mesh.material.color.set(theme.obstacle);
    }

    // Placement or points between frames k and k + 1 at share 0..1.
    update(k, share) {
        if (this.obstacle.deforming) return this.deform(k, share);
        const a = this.places[k], b = this.places[Math.min(k + 1, this.places.length - 1)];
        if (!a) return;
        this.group.position.lerpVectors(a.position, b.position, share);
        this.group.quaternion.slerpQuaternions(a.turn, b.turn, share);
    }

    deform(k, share) {
        const at = k + share;
        if (at === this.at || !this.group.visible || this.run.frameCount === 0) return;
        this.at = at;
        const { geometry } = this.mesh, position = geometry.getAttribute('position');
        this.run.meshPoints(this.index, k, share, position.array);
        position.needsUpdate = true;
        geometry.computeVertexNormals();
    }

    // Grows a box by what the obstacle covers at the first frame; planes are endless and count not.
    growBox(bounds) {
        if (this.floor) return;
        this.group.updateMatrixWorld(true);
        bounds.expandByObject(this.mesh);
    }
}
