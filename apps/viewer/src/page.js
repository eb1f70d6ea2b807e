// What every page of the viewer does with its document: find and make elements, speak, listen to keys.

export const element = (id) => document.getElementById(id);

// A new element; its text goes in as text, never as markup.
export function make(tag, text, className) {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
}

export const count = (number) => Math.round(number).toLocaleString('en');

export const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

// The theme that the reader's system asks for: light or dark.
export function preferredTheme() {
    return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function say(text) {
    element('message').textContent = text;
    element('message').hidden = false;
}

// actions: what a key does, by the name of the key.
export function connectKeys(actions) {
    // Give the focus back after a click, so that keys mean the same wherever the pointer was.
    window.addEventListener('click', (event) => {
        if (event.detail > 0 && event.target.tagName !== 'SELECT') document.activeElement.blur();
    });
    window.addEventListener('keydown', (event) => {
        if (event.key === ' ' && event.target.matches('button, input, summary')) return;
        if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT') return;
        const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!action) return;
        event.preventDefault();
        action(event);
    });
}

// Starts a page, and says so where it cannot be shown.
export function open(start) {
    try {
        start();
        document.documentElement.dataset.state = 'ready';
    } catch (error) {
        say(`This page cannot be shown: ${error.message}`);
        document.documentElement.dataset.state = 'failed';
        throw error;
    }
}
