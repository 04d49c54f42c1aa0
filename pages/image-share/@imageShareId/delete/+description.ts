export default 'Deletes a shared image before it expires.'
