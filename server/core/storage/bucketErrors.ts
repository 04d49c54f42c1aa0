import type { BucketConfig } from '#server/core/config/storageSettings.ts'

/**
 * A call to the bucket that failed. Has neither the cause nor its message: servers write the key into messages, and the
 * key of an image gives access to it.
 */
export class BucketError extends Error {
  /** `publicError` answers errors with this code with 503. */
  readonly code = 'BUCKET_FAILED'
  /** the server's code, such as `NoSuchKey`, or the system's, such as `ECONNREFUSED` */
  readonly reason: string
  readonly status: number | null

  constructor(message: string, reason: string, status: number | null = null) {
    super(message)
    this.name = 'BucketError'
    this.reason = reason
    this.status = status
  }
}

type SdkError = { name?: string; code?: string; $metadata?: { httpStatusCode?: number } }

export function toBucketError(call: string, thrown: unknown): BucketError {
  if (thrown instanceof BucketError) return thrown
  const { name = 'Error', code, $metadata } = (thrown ?? {}) as SdkError
  const status = $metadata?.httpStatusCode ?? null
  if (status === null) return new BucketError(`Cannot reach the bucket for ${call}: ${code ?? name}`, code ?? name)
  return new BucketError(`The bucket refused ${call}: ${name} (${status})`, name, status)
}

export const createTimeoutError = (call: string, ms: number) =>
  new BucketError(`The bucket did not answer ${call} within ${ms} ms`, 'Timeout')

/** A missing bucket is an error, not a missing object. */
export const isMissing = ({ reason, status }: BucketError): boolean => status === 404 && reason !== 'NoSuchBucket'

const WRONG_SETTINGS: [RegExp, (config: BucketConfig) => string][] = [
  [/^NoSuchBucket$/, ({ name }) => `Setting S3_BUCKET is wrong: the server has no bucket ${name}`],
  [/^InvalidAccessKeyId$/, () => 'Setting S3_ACCESS_KEY_ID is wrong: the server does not know it'],
  [/^SignatureDoesNotMatch$/, () => 'Setting S3_SECRET_ACCESS_KEY is wrong: the server refuses its signature'],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    ({ region }) => `Setting S3_REGION is wrong: the bucket is not in ${region}`,
  ],
  [
    /^(AccessDenied|Forbidden|403)$/,
    ({ name }) => `The key of S3_ACCESS_KEY_ID may not list, read, write and delete objects of the bucket ${name}`,
  ],
]

/** Returns one line that names the setting, for an error of the check at the start. */
export function explainBucketError({ reason, message }: BucketError, config: BucketConfig): string {
  const known = WRONG_SETTINGS.find(([pattern]) => pattern.test(reason))
  if (known) return known[1](config)
  return `Cannot use the bucket ${config.name} of ${config.endpoint ?? 'S3_ENDPOINT'}: ${message}. Check the settings S3_*`
}
