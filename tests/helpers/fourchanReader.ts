import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { fourchanSchemas } from './fourchanSchema.ts'
import { stillImage } from './sampleImages.ts'
import type { TestSite } from './site.ts'

const documentation = readFileSync('docs/json.md', 'utf8')

export type FourchanReader = ReturnType<typeof createFourchanReader>

/** Reads a site as clients of 4chan do. */
export function createFourchanReader(site: TestSite) {
  const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET') =>
    site.app.inject({ method, url, headers })

  return {
    get,
    /** Reads JSON with all required fields of its type. */
    async read<Name extends keyof typeof fourchanSchemas>(name: Name, url: string) {
      const response = await get(url)
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
      const parsed = fourchanSchemas[name].safeParse(response.json())
      expect(parsed.error?.issues ?? []).toEqual([])
      const own = [...response.body.matchAll(/"(dtp_\w+)":/g)].map(([, field = '']) => field)
      expect(own.filter((field) => !documentation.includes(`\`${field}\``))).toEqual([])
      return response.json()
    },
  }
}

export const picture = async (width: number, height: number) =>
  new File([await stillImage(width, height).jpeg().toBuffer()], 'holiday at home.jpg', { type: 'image/jpeg' })
