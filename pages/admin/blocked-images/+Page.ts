export { BlockedImagesScreen as default } from '#src/features/moderation/BlockedImagesScreen.tsx'
