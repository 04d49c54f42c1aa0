/** The client and the calls that the site makes. The bundle leaves out the rest of the SDK. */
export {
  AbortMultipartUploadCommand as AbortMultipartUpload,
  CompleteMultipartUploadCommand as CompleteMultipartUpload,
  CopyObjectCommand as CopyObject,
  CreateMultipartUploadCommand as CreateMultipartUpload,
  DeleteObjectCommand as DeleteObject,
  GetObjectCommand as GetObject,
  HeadBucketCommand as HeadBucket,
  HeadObjectCommand as HeadObject,
  ListMultipartUploadsCommand as ListMultipartUploads,
  ListObjectsV2Command as ListObjects,
  PutObjectCommand as PutObject,
  S3Client,
  UploadPartCommand as UploadPart,
  UploadPartCopyCommand as UploadPartCopy,
} from '@aws-sdk/client-s3'
