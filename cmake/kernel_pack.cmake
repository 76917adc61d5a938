# Whether the kernel pack is made: build/warpwise-kernels.pack, in some minutes, by NVRTC, without a GPU.
if(WARPWISE_KERNEL_PACK STREQUAL AUTO)
  find_library(WARPWISE_NVRTC_LIBRARY NAMES nvrtc libnvrtc.so.13 libnvrtc.so.12
    HINTS /usr/local/cuda/lib64 /opt/cuda/lib64)
endif()
if(WARPWISE_KERNEL_PACK STREQUAL AUTO AND (CMAKE_CROSSCOMPILING OR NOT WARPWISE_NVRTC_LIBRARY))
  message(STATUS "The kernel pack is left out: it is made with NVRTC, which was not found here")
elseif(WARPWISE_KERNEL_PACK)
  message(STATUS "The kernel pack is made: programs for GPUs where only NVIDIA's driver is, in about six minutes on two cores "
    "(PACK=OFF, or -DWARPWISE_KERNEL_PACK=OFF, leaves it out)")
  add_subdirectory(tools/kernel-pack)
endif()
