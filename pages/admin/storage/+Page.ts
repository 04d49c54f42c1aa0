export { StorageScreen as default } from '#src/features/admin/StorageScreen.tsx'
