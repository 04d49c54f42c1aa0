import { readFile } from 'node:fs/promises'
import { ZodError } from 'zod'
import { defaultSite, type Site, siteSchema } from '#src/contract/site.ts'
import type { Config } from './config.ts'

/** @throws Error with one line that names the setting */
export async function readSite({ siteFile }: Pick<Config, 'siteFile'>): Promise<Site> {
  if (!siteFile) return defaultSite
  try {
    return siteSchema.parse(JSON.parse(await readFile(siteFile, 'utf8')))
  } catch (error) {
    const [issue] = error instanceof ZodError ? error.issues : []
    const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : (error as Error).message
    throw new Error(`Setting SITE_FILE is wrong: ${siteFile} ${reason}`)
  }
}
