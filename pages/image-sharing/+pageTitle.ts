export default 'Image Sharing'
