import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/core/config/config.ts'

const bucket = { S3_BUCKET: 'community', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

describe('settings of files and backups', () => {
  test('choose the folder without a bucket', () => {
    expect(readConfig({})).toMatchObject({ fileStores: ['folder'], bucket: null, backups: { store: 'folder' } })
  })

  test.each([
    [{}, { prefix: '', region: 'us-east-1', endpoint: undefined, pathStyle: false }],
    [
      { S3_ENDPOINT: 'https://s3.example.org', S3_PREFIX: 'sites/one/', S3_REGION: 'auto' },
      { prefix: 'sites/one/', region: 'auto', endpoint: 'https://s3.example.org', pathStyle: true },
    ],
    [{ S3_ENDPOINT: 'https://s3.example.org', S3_PATH_STYLE: 'off' }, { pathStyle: false }],
  ])('read the bucket from %j', (env, expected) => {
    const config = readConfig({ ...bucket, FILE_STORE: 's3, folder', BACKUP_STORE: 's3', ...env })
    expect(config).toMatchObject({ fileStores: ['s3', 'folder'], backups: { store: 's3' } })
    expect(config.bucket).toMatchObject({ name: 'community', accessKeyId: 'id', ...expected })
  })

  test.each([
    [{ FILE_STORE: 's3' }, 'Setting S3_BUCKET is missing: it is required with FILE_STORE=s3'],
    [{ BACKUP_STORE: 's3' }, 'Setting S3_BUCKET is missing: it is required with BACKUP_STORE=s3'],
    [{ S3_BUCKET: 'community' }, 'Setting S3_ACCESS_KEY_ID is missing'],
    [{ ...bucket, S3_SECRET_ACCESS_KEY: '' }, 'Setting S3_SECRET_ACCESS_KEY is missing'],
    [{ FILE_STORE: 'disk' }, 'Setting FILE_STORE is wrong: must be folder or s3, or s3,folder'],
    [{ FILE_STORE: 's3,s3' }, 'Setting FILE_STORE is wrong'],
    [{ S3_BUCKET: 'No/Bucket' }, 'Setting S3_BUCKET is wrong: must be the name of a bucket'],
    [{ S3_ENDPOINT: 's3.example.org' }, 'Setting S3_ENDPOINT is wrong: must be a URL'],
    [{ S3_PREFIX: '../up there' }, 'Setting S3_PREFIX is wrong'],
    [{ S3_PREFIX: '/x' }, 'Setting S3_PREFIX is wrong'],
  ])('refuse %j in one line that names the setting', (env, line) => {
    const read = () => readConfig(env)
    expect(read).toThrow(line)
    expect(read).not.toThrow('\n')
  })
})
