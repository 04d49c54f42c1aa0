import { z } from 'zod'
import { httpUrl, oneOf, optional, withDefault } from './settingTypes.ts'

export type StoreKind = 'folder' | 's3'

const STORES = ['folder', 's3', 's3,folder', 'folder,s3'] as const

/** Folders of keys, such as `sites/one`. Other characters need escapes that not all servers decode the same way. */
const PREFIX = /^(?!.*\.\.)[\w.-]{1,60}(?:\/[\w.-]{1,60}){0,5}\/?$/
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/

/** The settings of the places for files and backups. */
export const storageEnvironment = {
  FILE_STORE: withDefault(
    z.string().transform((value, ctx): [StoreKind, StoreKind?] => {
      const chosen = STORES.find((stores) => stores === value.replaceAll(' ', ''))
      if (chosen) return chosen.split(',') as [StoreKind, StoreKind?]
      ctx.addIssue({
        code: 'custom',
        message: 'must be folder or s3, or s3,folder while files are moved to the bucket',
      })
      return z.NEVER
    }),
    'folder' as never,
  ),
  BACKUP_STORE: withDefault(oneOf(['folder', 's3']), 'folder'),
  S3_ENDPOINT: optional(httpUrl),
  S3_REGION: withDefault(z.string().regex(/^[\w-]{1,40}$/, 'must be a region like eu-central-1'), 'us-east-1'),
  S3_BUCKET: optional(z.string().regex(BUCKET, 'must be the name of a bucket: 3 to 63 small letters, digits, - and .')),
  S3_PREFIX: optional(z.string().regex(PREFIX, 'must be letters, digits, -, _ and ., with / between folders')),
  S3_ACCESS_KEY_ID: optional(z.string().regex(/^\S+$/, 'must not contain spaces')),
  S3_SECRET_ACCESS_KEY: optional(z.string().regex(/^\S+$/, 'must not contain spaces')),
  S3_PATH_STYLE: optional(oneOf(['on', 'off'])),
}

type StorageEnvironment = z.output<z.ZodObject<typeof storageEnvironment>>

export type BucketConfig = NonNullable<ReturnType<typeof readBucketConfig>>

/**
 * Returns the settings of the bucket, or null if there is no S3_BUCKET.
 * @throws Error with one line that names the missing setting
 */
export function readBucketConfig(value: StorageEnvironment) {
  const { S3_BUCKET: name, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = value
  if (!name) {
    const user = value.FILE_STORE.includes('s3') ? 'FILE_STORE' : value.BACKUP_STORE === 's3' ? 'BACKUP_STORE' : null
    if (user) throw new Error(`Setting S3_BUCKET is missing: it is required with ${user}=s3`)
    return null
  }
  if (!accessKeyId || !secretAccessKey) {
    const missing = accessKeyId ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID'
    throw new Error(`Setting ${missing} is missing: it is required with S3_BUCKET`)
  }
  return {
    name,
    endpoint: value.S3_ENDPOINT,
    region: value.S3_REGION,
    accessKeyId,
    secretAccessKey,
    /** empty, or with a slash at its end */
    prefix: value.S3_PREFIX ? `${value.S3_PREFIX.replace(/\/$/, '')}/` : '',
    /** Servers other than Amazon's rarely have a host name per bucket. */
    pathStyle: value.S3_PATH_STYLE ? value.S3_PATH_STYLE === 'on' : value.S3_ENDPOINT !== undefined,
  }
}
