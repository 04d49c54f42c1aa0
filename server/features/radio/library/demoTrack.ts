import { fileURLToPath } from 'node:url'

/** Plays when the music folder is empty. The build copies the file next to the server bundle. */
export const DEMO_TRACK = fileURLToPath(new URL('./demo.mp3', import.meta.url))
