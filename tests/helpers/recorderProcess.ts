import { createRecording, type RecordingDeps } from '#server/features/radio/record/recording.ts'
import { mp3Frames } from './broadcasts.ts'

/**
 * Records a broadcast of a minute in real time, until it is killed. Writes the number of the last frame that it received to
 * standard output. Usage: `recorderProcess.ts FOLDER BROADCAST_ID`
 */
const [, , dir = '', id = ''] = process.argv
const rows: RecordingDeps['rows'] = {
  readFile: async () => undefined,
  saveFile: async () => {},
  completeFile: async () => {},
  splitFile: async () => {},
  addTrack: async () => true,
}
const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const deps = { rows, dir, quota: 1e9, diskSpace: async () => 1e12, log: quiet }
const recording = createRecording(deps, Number(id))
const frames = mp3Frames({ seconds: 60 })
const FRAMES_PER_BATCH = 4
let sent = 0
setInterval(() => {
  recording.push('audio/mpeg', frames.slice(sent, sent + FRAMES_PER_BATCH))
  sent += FRAMES_PER_BATCH
  process.stdout.write(`${sent}\n`)
}, FRAMES_PER_BATCH * 26)
