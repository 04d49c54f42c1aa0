import { useEffect, useState } from 'react'
import styles from './QrCode.module.css'

/** Draws a QR code. Loads the encoder when it is first shown. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [code, setCode] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    setCode(null)
    let wanted = true
    void import('uqr').then(({ encode }) => {
      if (!wanted) return
      const { data, size } = encode(text, { border: 4 })
      const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
      setCode({ size, path })
    })
    return () => {
      wanted = false
    }
  }, [text])

  if (!code) return null
  return (
    <svg className={styles.code} viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label}>
      <path d={code.path} />
    </svg>
  )
}
