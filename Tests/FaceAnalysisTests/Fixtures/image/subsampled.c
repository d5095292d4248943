// Writes JPEG 2000 with chroma of half the size, which Pillow cannot: subsampled WIDTH HEIGHT OUT < planes
// The input is the luma plane and the two chroma planes; a name in .jp2 gives boxes with the colour space sYCC.
#include <openjpeg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
  if (count != 4) return 2;
  unsigned width = (unsigned)atoi(arguments[1]), height = (unsigned)atoi(arguments[2]);
  int boxed = strstr(arguments[3], ".jp2") != NULL;
  opj_image_cmptparm_t planes[3];
  memset(planes, 0, sizeof planes);
  for (unsigned i = 0; i < 3; i++) {
    unsigned step = i == 0 ? 1 : 2;
    planes[i].dx = planes[i].dy = step;
    planes[i].w = width / step;
    planes[i].h = height / step;
    planes[i].prec = 8;
  }
  opj_image_t *image = opj_image_create(3, planes, boxed ? OPJ_CLRSPC_SYCC : OPJ_CLRSPC_UNSPECIFIED);
  image->x1 = width;
  image->y1 = height;
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned at = 0; at < planes[i].w * planes[i].h; at++) image->comps[i].data[at] = getchar();
  }
  opj_cparameters_t parameters;
  opj_set_default_encoder_parameters(&parameters);
  parameters.tcp_numlayers = 1;
  parameters.cp_disto_alloc = 1;
  parameters.numresolution = 3;
  opj_codec_t *codec = opj_create_compress(boxed ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K);
  opj_stream_t *stream = opj_stream_create_default_file_stream(arguments[3], OPJ_FALSE);
  int written = opj_setup_encoder(codec, &parameters, image) && opj_start_compress(codec, image, stream) &&
                opj_encode(codec, stream) && opj_end_compress(codec, stream);
  opj_stream_destroy(stream);
  opj_destroy_codec(codec);
  opj_image_destroy(image);
  return !written;
}
