// Where Python lies in a site of plain files. The build writes it (`duels.site.worker`); this is its form.

/**
 * @typedef {{ path: string, size: number }} Part
 * @type {{ engine: string, info: object, wasm: Part, library: Part, duels: Part }}
 */
export const parts = undefined;
