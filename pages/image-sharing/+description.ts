export default 'Share a JPEG, PNG, GIF or WebP with a link that expires. EXIF data is removed, and you need no account.'
