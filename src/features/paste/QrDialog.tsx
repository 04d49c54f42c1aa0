import { useEffect, useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import styles from './QrDialog.module.css'

export function QrDialog({ url, onClose }: { url: string | null; onClose: () => void }) {
  const code = useQrCode(url)
  return (
    <Dialog
      open={url !== null}
      onClose={onClose}
      title="QR code"
      narrow
      foot={<Button onClick={onClose}>Close</Button>}
    >
      {code && (
        <svg
          className={styles.code}
          viewBox={`0 0 ${code.size} ${code.size}`}
          role="img"
          aria-label={`QR code of ${url}`}
        >
          <path d={code.path} />
        </svg>
      )}
    </Dialog>
  )
}

function useQrCode(url: string | null) {
  const [code, setCode] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    setCode(null)
    if (url === null) return
    let wanted = true
    void import('uqr').then(({ encode }) => {
      if (!wanted) return
      const { data, size } = encode(url, { border: 4 })
      const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
      setCode({ size, path })
    })
    return () => {
      wanted = false
    }
  }, [url])
  return code
}
