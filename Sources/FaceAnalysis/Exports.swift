@_exported public import Imaging
