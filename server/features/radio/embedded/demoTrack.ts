import { fileURLToPath } from 'node:url'

/** Played when the music folder is empty. The build copies it next to the server bundle. */
export const DEMO_TRACK = fileURLToPath(new URL('./demo.mp3', import.meta.url))
