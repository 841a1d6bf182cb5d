/** Hands a text to the person as a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** The file that the person chose. The field forgets it, so that the same file, mended, can be chosen again. */
export function chosen(field: HTMLInputElement): File | undefined {
  const file = field.files?.[0];
  field.value = "";
  return file;
}

/** A title as part of the name of a file. */
export function fileName(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase();
}
