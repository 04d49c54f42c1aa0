export default 'Delete a paste before it expires.'
