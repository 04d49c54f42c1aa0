export default 'Share a JPEG, PNG, GIF or WebP by a link that expires: EXIF stripped on the server, no account.'
