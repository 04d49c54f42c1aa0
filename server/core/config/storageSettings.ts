import { z } from 'zod'
import { httpUrl, matching, oneOf, optional, parsed, type ReadSetting, withDefault } from './settingTypes.ts'

export type StoreKind = 'folder' | 's3'

const STORES = ['folder', 's3', 's3,folder', 'folder,s3'] as const

/** Folders of keys, such as `sites/one`. Other characters need escapes that not all servers decode the same way. */
const PREFIX = /^(?!.*\.\.)[\w.-]{1,60}(?:\/[\w.-]{1,60}){0,5}\/?$/
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/

const stores = parsed((value) => {
  const chosen = STORES.find((stores) => stores === value.replaceAll(' ', ''))
  return chosen?.split(',') as [StoreKind, StoreKind?] | undefined
}, 'must be folder or s3, or s3,folder while files are moved to the bucket')

export type BucketConfig = NonNullable<ReturnType<typeof readStorageConfig>['bucket']>

/**
 * Returns the places for files and backups. `bucket` is null if there is no S3_BUCKET.
 * @throws Error with one line that names the wrong or missing setting
 */
export function readStorageConfig(read: ReadSetting) {
  const fileStores = read('FILE_STORE', withDefault(stores, 'folder' as never))
  const backupStore = read('BACKUP_STORE', withDefault(oneOf(['folder', 's3']), 'folder'))
  const name = read(
    'S3_BUCKET',
    matching(BUCKET, 'must be the name of a bucket: 3 to 63 small letters, digits, - and .'),
  )
  const endpoint = read('S3_ENDPOINT', optional(httpUrl))
  const region = z.string().regex(/^[\w-]{1,40}$/, 'must be a region like eu-central-1')
  const prefix = matching(PREFIX, 'must be letters, digits, -, _ and ., with / between folders')
  const key = matching(/^\S+$/, 'must not contain spaces')
  const accessKeyId = read('S3_ACCESS_KEY_ID', key)
  const secretAccessKey = read('S3_SECRET_ACCESS_KEY', key)
  const pathStyle = read('S3_PATH_STYLE', optional(oneOf(['on', 'off'])))
  const others = {
    endpoint,
    region: read('S3_REGION', withDefault(region, 'us-east-1')),
    /** empty, or with a slash at its end */
    prefix: read('S3_PREFIX', prefix)?.replace(/\/?$/, '/') ?? '',
    /** Servers other than Amazon's rarely have a host name per bucket. */
    pathStyle: pathStyle ? pathStyle === 'on' : endpoint !== undefined,
  }
  if (!name) {
    const user = fileStores.includes('s3') ? 'FILE_STORE' : backupStore === 's3' ? 'BACKUP_STORE' : null
    if (user) throw new Error(`Setting S3_BUCKET is missing: it is required with ${user}=s3`)
    return { fileStores, backupStore, bucket: null }
  }
  if (!accessKeyId || !secretAccessKey) {
    const missing = accessKeyId ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID'
    throw new Error(`Setting ${missing} is missing: it is required with S3_BUCKET`)
  }
  return { fileStores, backupStore, bucket: { name, accessKeyId, secretAccessKey, ...others } }
}
