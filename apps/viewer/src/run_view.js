// A run on the stage: its cloths, its obstacles, its correction map and the mark of its largest strain, in one
// group.
import * as THREE from 'three';
import { ClothView } from './cloth.js';
import { CorrectionMapView } from './correction_map.js';
import { ObstacleView } from './obstacles.js';

// Where the cloth of a run goes; a run that blew up is framed by its first frame.
export function runBounds(run) {
    const box = new THREE.Box3();
    const { low, high } = run.info.bounds;
    if (run.frameCount > 0) {
        const { boxes } = run.frame(0);
        for (let c = 0; c < boxes.length; c += 6) {
            const min = new THREE.Vector3().fromArray(boxes, c);
            box.expandByPoint(min).expandByPoint(min.clone().add(new THREE.Vector3().fromArray(boxes, c + 3)));
        }
    }
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));
    const room = box.clone().expandByScalar(2 * Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3));
    if (low && high) box.union(new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high)).intersect(room));
    return box;
}

// What the stage frames for runs whose cloth stays inside `bounds`: the box of all that is to be seen,
// and the height of the floor it lays; null where a plane of the scene is the floor.
export function sceneFrame(views, bounds) {
    const extent = bounds.getSize(new THREE.Vector3()).length();
    const obstacles = views.flatMap((view) => view.obstacles);

    // Take obstacles into the picture, but let none dwarf the cloth.
    const box = bounds.clone(), room = bounds.clone().expandByScalar(0.75 * extent);
    for (const view of obstacles) view.growBox(box);
    box.intersect(room);
    const level = (view) => view.floor && view.obstacle.normal[2] > 0.99;
    const floorHeight = obstacles.some(level) ? null : box.min.z - 0.04 * extent;
    if (floorHeight !== null) box.min.z = floorHeight;
    return { box, floorHeight };
}

// A ring that marks the vertex of largest strain.
function makeMarker() {
    const picture = document.createElement('canvas');
    picture.width = picture.height = 64;
    const pen = picture.getContext('2d');
    for (const [style, width] of [['#ffffff', 9], ['#d3145c', 5]]) {
        pen.strokeStyle = style;
        pen.lineWidth = width;
        pen.beginPath();
        pen.arc(32, 32, 24, 0, 2 * Math.PI);
        pen.stroke();
    }
    const texture = new THREE.CanvasTexture(picture);
    texture.colorSpace = THREE.SRGBColorSpace;
    const marker = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, depthTest: false, sizeAttenuation: false }));
    marker.scale.setScalar(0.022);
    marker.renderOrder = 10;
    return marker;
}

export class RunView {
    // bounds: of all runs on the stage; heatTexture: the colours of the strain codes.
    constructor(run, bounds, heatTexture) {
        this.run = run;
        const { info } = run, extent = bounds.getSize(new THREE.Vector3()).length();
        this.positions = new Float32Array(3 * info.vertices);
        this.codes = new Uint8Array(info.vertices);
        const shared = { positions: this.positions, codes: this.codes, heatTexture, extent };
        this.cloths = info.cloths.map((_, k) => new ClothView(run, k, shared));
        // Faces of the cloth may cut into a solid that their corners touch, by a part of an edge [m].
        const depth = Math.min(0.6 * run.meanEdge(), 0.02 * extent);
        const place = { extent, focus: bounds.getCenter(new THREE.Vector3()), depth };
        this.obstacles = info.obstacles.map((_, k) => new ObstacleView(run, k, place));
        this.marker = makeMarker();
        this.group = new THREE.Group();
        for (const view of [...this.cloths, ...this.obstacles]) {
            view.group.visible = run.frameCount > 0;
            this.group.add(view.group);
        }
        this.group.add(this.marker);
        if (info.correction_maps) {
            this.map = new CorrectionMapView(run, this.positions);
            this.group.add(this.map.group);
        }
    }

    get floors() {
        return this.obstacles.map((view) => view.floor).filter((floor) => floor);
    }

    // Brings the positions between frames k and k + 1, at share 0..1; marked: show the largest strain.
    show(k, share, marked) {
        const { run } = this, frame = run.info.frames[k];
        run.positions(k, share, this.positions);
        this.codes.set(run.frame(k).codes);
        for (const cloth of this.cloths) if (cloth.group.visible) cloth.update();
        for (const obstacle of this.obstacles) obstacle.update(k, share);
        this.map?.update();
        const owner = this.cloths.find(({ cloth }) =>
            frame.worst >= cloth.first_vertex && frame.worst < cloth.first_vertex + cloth.vertices);
        this.marker.visible = marked && !!owner?.group.visible;
        if (owner) this.marker.position.fromArray(this.positions, 3 * frame.worst);
    }

    setMode(mode, heat) {
        for (const cloth of this.cloths) cloth.setMode(mode, heat);
    }

    showMap(on) {
        this.map.group.visible = on;
        for (const cloth of this.cloths) cloth.setPale(on);
    }

    // name: light or dark; theme: its colours.
    setTheme(name, theme) {
        for (const obstacle of this.obstacles) obstacle.setTheme(theme);
        for (const cloth of this.cloths) cloth.setTheme(name);
    }
}
