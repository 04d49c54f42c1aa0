const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB

export function formatBytes(bytes: number): string {
  if (bytes < KB) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  if (bytes < MB) return `${(bytes / KB).toFixed(1)} kB`
  return bytes < GB ? `${(bytes / MB).toFixed(2)} MB` : `${(bytes / GB).toFixed(1)} GB`
}
