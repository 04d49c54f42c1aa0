import { DEFAULT_EXPIRY } from '#src/contract/sharing.ts'

/** Returns the text of a .sxcu file, which adds this site to ShareX as an uploader. */
export function shareXConfig(siteName: string, origin: string): string {
  const config = {
    Version: '17.0.0',
    Name: `${siteName} Image Sharing`,
    DestinationType: 'ImageUploader',
    RequestMethod: 'POST',
    RequestURL: `${origin}/api/image-share`,
    Body: 'MultipartFormData',
    Arguments: { expiryHours: String(DEFAULT_EXPIRY) },
    FileFormName: 'image',
    URL: '{json:url}',
    ThumbnailURL: '{json:imageUrl}',
    DeletionURL: '{json:deleteUrl}',
    ErrorMessage: '{json:error}',
  }
  return `${JSON.stringify(config, null, 2)}\n`
}
