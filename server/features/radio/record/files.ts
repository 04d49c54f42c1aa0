import { resolve } from 'node:path'
import type { Config } from '#server/core/config/config.ts'

export const RECORDINGS_FOLDER = 'recordings'

/** Names of other files are never touched: operators may keep music in a folder with this name. */
const NAME = /^(\d{1,10})-(\d{1,4})\.(mp3|aac|ogg)$/

const EXTENSIONS: Record<string, string> = { 'audio/mpeg': 'mp3', 'audio/aac': 'aac', 'audio/ogg': 'ogg' }

/** Returns the usual ending of files of a media type. */
export const extensionOf = (type: string): string => EXTENSIONS[type] ?? 'mp3'

export const isRecordable = (type: string): boolean => type in EXTENSIONS

export const recordingsDir = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  resolve(dataDir, 'radio', RECORDINGS_FOLDER)

export const isRecordingFile = (name: string): boolean => NAME.test(name)

export const recordingFile = (broadcastId: number, part: number, type: string): string =>
  `${broadcastId}-${part}.${extensionOf(type)}`

export const broadcastIdOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0)

/** Returns the number of the part, or 0 if there is no file. */
export const partOf = (name: string | null): number => Number(NAME.exec(name ?? '')?.[2] ?? 0)
