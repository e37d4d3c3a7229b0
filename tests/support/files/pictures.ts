/** Pictures by their signatures. Nothing that is tested decodes them. */
export const pngPicture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
export const jpegPicture = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
export const webpPicture = Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1')
export const svgPicture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
