import { access, constants, mkdir } from 'node:fs/promises'
import { hasErrorCode, systemErrorText } from '#db/errors.server.ts'
import type { Config } from '#server/core/config/config.ts'

/** @throws Error with one line that names the setting when the folder is not writable */
export async function ensureDataDir({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = hasErrorCode(error, 'EEXIST') ? 'it is not a folder' : systemErrorText(error)
    throw new Error(`Setting DATA_DIR is wrong: ${dataDir} cannot be written to: ${reason}`, { cause: error })
  }
}

/** @throws Error with one line that names the settings */
export async function listen(
  app: { listen: (at: { host: string; port: number }) => Promise<unknown> },
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<void> {
  await app.listen({ host, port }).catch((error) => {
    const at = `${host.includes(':') ? `[${host}]` : host}:${port}`
    throw new Error(`Settings HOST and PORT are wrong: cannot listen on ${at}: ${systemErrorText(error)}`, {
      cause: error,
    })
  })
}
