import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { QrCode } from '#src/ui/QrCode.tsx'

export function QrDialog({ url, onClose }: { url: string | null; onClose: () => void }) {
  return (
    <Dialog
      open={url !== null}
      onClose={onClose}
      title="QR code"
      narrow
      foot={<Button onClick={onClose}>Close</Button>}
    >
      {url && <QrCode text={url} label={`QR code of ${url}`} />}
    </Dialog>
  )
}
