import { fileURLToPath } from 'node:url'

/** The track that plays where nobody has put music: it lies beside this file, and beside the bundle of the server. */
export const DEMO_TRACK = fileURLToPath(new URL('./demo.mp3', import.meta.url))
