import { access, constants, mkdir } from 'node:fs/promises'
import { hasErrorCode, systemErrorText } from '#db/errors.server.ts'
import type { Config } from '#server/core/config/config.ts'

/** Creates the data folder. @throws Error with one line that names the setting if the folder is not writable */
export async function ensureDataDir({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = hasErrorCode(error, 'EEXIST') ? 'it is not a folder' : systemErrorText(error)
    throw new Error(`Setting DATA_DIR is wrong: ${dataDir} cannot be written to: ${reason}`, { cause: error })
  }
}
