#!/bin/sh
# Writes the Fortran programs that MPICH's test suite generates with perl, in the suite's folders: f90 from f77,
# as its autogen.sh does, and the programs of the io folders from a template, as its Makefile does.
#
# mpich_fortran.sh FOLDER (test/mpi of MPICH's source)
set -eu
cd "$1"

for from in f77/*/ errors/f77/*/; do
  from=${from%/} to=$(echo "${from%/}" | sed 's/f77/f90/')
  mkdir -p "$to"
  perl maint/f77tof90 "$from" "$to" Makefile.am Makefile.ap
done
cp f90/ext/c2f902c.c f90/ext/ctypesfromc.c f08/ext

sed -e 's/filename="\(.*\)f.f"/filename="\1f90.f90"/' \
    -e 's/include.*iooffset.*/integer (kind=MPI_OFFSET_KIND) offset/' f77/io/ioharness.defn >f90/io/ioharness.defn
sed -e 's/include.*mpif.*/use mpi/' -e 's/fheader/f90header/' -e 's/^C/!/' -e '/implicit *none/d' \
    f77/io/ioharness.tlt >f90/io/ioharness.tlt
for folder in f77/io f90/io f08/io; do
  # The first line is "#! @PERL@", which perl would start.
  (cd "$folder" && sed 1d ../../maint/testmerge.in | perl - -defn=../../maint/common.defn ioharness.defn ioharness.tlt)
done
