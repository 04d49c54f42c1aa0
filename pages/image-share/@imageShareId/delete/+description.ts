export default 'Delete a shared image before it expires.'
